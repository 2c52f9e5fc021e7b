#!/usr/bin/env python3
"""A preprocessor of mdBook: links that lead out of docs/ go to the repository that Cargo.toml names, and become plain text while
it names none."""
import json, os, re, sys, tomllib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
# A fenced block, or code in a line: no links.
CODE = re.compile(r"(^```.*?^```$|`[^`\n]*`)", re.MULTILINE | re.DOTALL)


def repository():
    with open(os.path.join(ROOT, "Cargo.toml"), "rb") as f:
        return tomllib.load(f)["workspace"]["package"].get("repository")


def rewritten(text, folder, base):
    """The text of a page of that folder of docs/."""

    def link(match):
        words, target = match.groups()
        path, _, anchor = target.partition("#")
        if "://" in path or target.startswith(("#", "mailto:")):
            return match[0]
        place = os.path.normpath(os.path.join("docs", folder, path))
        if place.startswith("docs" + os.sep):
            return match[0]
        return f"[{words}]({base}/blob/main/{place}{'#' + anchor if anchor else ''})" if base else words

    # Words of a link may be code: what is code by itself is put aside, and put back.
    aside = []

    def keep(match):
        aside.append(match[0])
        return f"\0{len(aside) - 1}\0"

    kept = CODE.sub(keep, text)
    return re.sub("\0(\\d+)\0", lambda match: aside[int(match[1])], LINK.sub(link, kept))


def visit(items, base):
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter:
            folder = os.path.dirname(chapter.get("path") or "")
            chapter["content"] = rewritten(chapter["content"], folder, base)
            visit(chapter["sub_items"], base)


def main():
    if sys.argv[1:2] == ["supports"]:
        return
    _, book = json.load(sys.stdin)
    visit(book["items"] if "items" in book else book["sections"], repository())
    json.dump(book, sys.stdout)


main()
