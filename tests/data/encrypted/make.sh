#!/usr/bin/env bash
# Makes the encrypted documents of this folder, whose passwords are `user` and `owner`. Needs pikepdf and qpdf.
set -euo pipefail
cd "$(dirname "$0")"
python3 - <<'PYTHON'
import pikepdf
from pikepdf import Array, Dictionary, Name, String

pdf = pikepdf.new()
page = pdf.add_blank_page(page_size=(300, 200))
page.Contents = pdf.make_stream(b"BT /F 12 Tf 20 100 Td (Protected text) Tj ET")
font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
page.Resources = Dictionary(Font=Dictionary(F=pdf.make_indirect(font)))
pdf.docinfo["/Title"] = "Secret title"
field = pdf.make_indirect(Dictionary(
    Type=Name.Annot, Subtype=Name.Widget, FT=Name.Sig, T=String("Waiting"), TU=String("Sign here, please"), F=4,
    Rect=Array([20, 20, 120, 60]), P=page.obj))
pdf.Root.AcroForm = pdf.make_indirect(Dictionary(Fields=Array([field]), DA=String("/Helv 0 Tf 0 g")))
page.Annots = pdf.make_indirect(Array([field]))
pdf.save("plain.pdf", deterministic_id=True)
pdf.save("packed.pdf", deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
PYTHON
encrypt() {
  local from=$1 to=$2
  shift 2
  qpdf --static-id --static-aes-iv --allow-weak-crypto --encrypt user owner "$@" -- "$from" "$to"
}
encrypt plain.pdf rc4-40.pdf 40 --annotate=y --print=y
encrypt plain.pdf rc4-128.pdf 128 --use-aes=n
encrypt packed.pdf aes-128.pdf 128 --use-aes=y
encrypt packed.pdf aes-256-r5.pdf 256 --force-R5
encrypt packed.pdf aes-256-r6.pdf 256
encrypt plain.pdf aes-256-restricted.pdf 256 --cleartext-metadata --modify=none --annotate=n --form=n
encrypt plain.pdf aes-256-fill.pdf 256 --modify=form
rm plain.pdf packed.pdf
