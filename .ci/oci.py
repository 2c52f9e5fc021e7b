#!/usr/bin/env python3
"""Writes an OCI image of lacre-server that holds the static binary and nothing else.

  .ci/oci.py BINARY VERSION SECONDS OUT.tar

SECONDS is the time that stands in the image (SOURCE_DATE_EPOCH). The same arguments give the same bytes.
"""
import gzip, hashlib, io, json, subprocess, sys, tempfile
from datetime import datetime, timezone
from tarfile import DIRTYPE, GNU_FORMAT, TarFile, TarInfo

USER = 65532


def add(tar, name, data=None, mode=0o644, owner=0, seconds=0):
    info = TarInfo(name)
    info.mode, info.uid, info.gid, info.mtime = mode, owner, owner, seconds
    if data is None:
        info.type = DIRTYPE
    else:
        info.size = len(data)
    tar.addfile(info, None if data is None else io.BytesIO(data))


def main():
    binary, version, seconds, out = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    with tempfile.NamedTemporaryFile() as stripped:
        subprocess.run(["strip", "-o", stripped.name, binary], check=True)
        with open(stripped.name, "rb") as f:
            program = f.read()

    layer = io.BytesIO()
    with TarFile(fileobj=layer, mode="w", format=GNU_FORMAT) as tar:
        add(tar, "etc/passwd", f"lacre:x:{USER}:{USER}::/var/lib/lacre:/sbin/nologin\n".encode(), seconds=seconds)
        add(tar, "lacre-server", program, 0o755, seconds=seconds)
        add(tar, "tmp", None, 0o1777, seconds=seconds)
        add(tar, "var/lib/lacre", None, 0o700, USER, seconds)
    plain = layer.getvalue()
    packed = gzip.compress(plain, 9, mtime=0)

    blobs = {}

    def blob(data, kind):
        digest = hashlib.sha256(data).hexdigest()
        blobs[digest] = data
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(data)}

    def text(value):
        return json.dumps(value, sort_keys=True).encode()

    config = {
        "created": datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "architecture": "amd64",
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "Entrypoint": ["/lacre-server"],
            "Env": ["LACRE_LISTEN=0.0.0.0:8080"],
            "WorkingDir": "/var/lib/lacre",
            "ExposedPorts": {"8080/tcp": {}},
            "Volumes": {"/var/lib/lacre": {}},
            "StopSignal": "SIGTERM",
            "Labels": {"org.opencontainers.image.version": version, "org.opencontainers.image.licenses": "MIT OR Apache-2.0"},
        },
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(plain).hexdigest()]},
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob(text(config), "config.v1+json"),
        "layers": [blob(packed, "layer.v1.tar+gzip")],
    }
    described = blob(text(manifest), "manifest.v1+json")
    described["annotations"] = {"org.opencontainers.image.ref.name": version}
    index = {"schemaVersion": 2, "manifests": [described]}
    with TarFile(out, "w", format=GNU_FORMAT) as tar:
        add(tar, "oci-layout", text({"imageLayoutVersion": "1.0.0"}), seconds=seconds)
        add(tar, "index.json", text(index), seconds=seconds)
        for digest in sorted(blobs):
            add(tar, f"blobs/sha256/{digest}", blobs[digest], seconds=seconds)


main()
