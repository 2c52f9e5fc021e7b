#!/usr/bin/env bash
# Makes the fonts of the PDF report from Debian's fonts-noto-core: Latin, Greek and Cyrillic letters, signs of
# punctuation and currency; no hinting, no layout tables (the report sets its text glyph by glyph).
#   apt-get install fonts-noto-core && pip install fonttools && src/core/report/pdf/fonts/subset.sh
set -euo pipefail
cd "$(dirname "$0")"
source=${1:-/usr/share/fonts/truetype/noto}

unicodes=U+0020-007E,U+00A0-00AC,U+00AE-024F,U+0250-02AF,U+02B0-02DD,U+0300-036F,U+0370-03FF,U+0400-052F
unicodes=$unicodes,U+1E00-1EFF,U+1F00-1FFF,U+2010-2027,U+202F-205E,U+20A0-20BF,U+2100-214F,U+2190-2193,U+2212

for face in Regular Bold; do
  SOURCE_DATE_EPOCH=0 python3 -m fontTools.subset "$source/NotoSans-$face.ttf" \
    --output-file="NotoSans-$face.ttf" --unicodes="$unicodes" \
    --layout-features= --drop-tables+=GSUB,GPOS,GDEF,FFTM,DSIG,STAT,kern --no-hinting --notdef-outline \
    --name-IDs=0,1,2,3,4,5,6,13,14 --no-recalc-timestamp
done
