"""Writes files into one folder of a ZIP whose bytes depend on nothing but their names and bytes.

usage: zip.py FOLDER SECONDS OUT FILE...    SECONDS: the time that each entry states, since 1970
"""

import sys
import time
import zipfile
from pathlib import Path

folder, seconds, out, *files = sys.argv[1:]
with zipfile.ZipFile(out, "w") as archive:
    for path in sorted(map(Path, files), key=lambda path: path.name):
        entry = zipfile.ZipInfo(f"{folder}/{path.name}", time.gmtime(int(seconds))[:6])
        entry.external_attr = 0o100644 << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, path.read_bytes())
