"""Writes docs/python-reference.md from the package's source: names, signatures, and what is said of them.

python reference.py [--check]    --check writes nothing, and ends with status 1 where the page is another
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "python" / "lacre"
PAGE = HERE.parents[1] / "docs" / "python-reference.md"

HEAD = """# Python reference

Written by `bindings/python/reference.py` from the package's source. How it is used: [Python](python.md). What the words mean:
[reports](reports.md), [glossary](glossary.md).
"""

PARTS = {
    "lacre": ("__init__", None),
    "lacre.online": ("online", None),
    "lacre.signing": ("signing", None),
    "lacre.issuance": ("issuance", None),
    "lacre.arrow": ("arrow", None),
    "lacre.spark": ("spark", None),
}
ORDER = ("validate", "Validator", "inspect", "judge", "Facts", "Report", "CertificateReport", "TrustedLists", "Bundle", "Replay")


def tree(module: str) -> ast.Module:
    """A module of the package."""
    return ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8"))


def exported(module: str) -> dict[str, ast.stmt]:
    """What a module exports, by name, each with where it is defined."""
    body = tree(module)
    names = next(
        ast.literal_eval(one.value)
        for one in body.body
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name) and one.targets[0].id == "__all__"
    )
    found: dict[str, ast.stmt] = {}
    for one in body.body:
        if isinstance(one, ast.ImportFrom) and one.level == 1 and one.module and one.module != "_lacre":
            wanted = {alias.asname or alias.name for alias in one.names} & set(names)
            found.update({name: node for name, node in defined(tree(one.module)).items() if name in wanted})
    found.update({name: node for name, node in defined(body).items() if name in names})
    first = [name for name in ORDER if name in found]
    return {name: found[name] for name in [*first, *sorted(set(found) - set(first))]}


def after(body: ast.Module, node: ast.stmt) -> str:
    """What is said of a name in the text that follows its assignment."""
    at = body.body.index(node)
    said = body.body[at + 1] if at + 1 < len(body.body) else None
    return str(said.value.value) if isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant) else ""


def defined(body: ast.Module) -> dict[str, ast.stmt]:
    """What a module defines."""
    found: dict[str, ast.stmt] = {}
    for one in body.body:
        if isinstance(one, (ast.ClassDef, ast.FunctionDef)):
            found[one.name] = one
        elif isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
            one.__dict__["said"] = after(body, one)
            found[one.targets[0].id] = one
    return found


def text(node: ast.AST) -> str:
    """What is said of something."""
    if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.Module)):
        return shown(ast.get_docstring(node) or "")
    return ""


def shown(said: str) -> str:
    """A docstring as Markdown: its examples are blocks."""
    lines: list[str] = []
    inside = False
    for line in said.splitlines():
        example = line.startswith((">>>", "...")) or (inside and line != "")
        if example != inside:
            lines += ["```pycon"] if example else ["```"]
            inside = example
        lines.append(line)
    return "\n".join([*lines, "```"] if inside else lines)


def signature(node: ast.FunctionDef, method: bool) -> str:
    """A function's arguments and what it gives, on a line each where they are many."""
    arguments = ast.unparse(node.args)
    static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in node.decorator_list)
    if method and not static:
        arguments = arguments.removeprefix("self").removeprefix(", ")
    gives = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    line = f"({arguments}){gives}"
    if len(line) < 100:
        return line
    inner = ast.unparse(node.args)
    parts = split(inner.removeprefix("self").removeprefix(", ") if method and not static else inner)
    return "(\n    " + ",\n    ".join(parts) + f"\n){gives}"


def split(arguments: str) -> list[str]:
    """Arguments apart: at commas that stand in no bracket."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(arguments):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(arguments[start:at].strip())
            start = at + 1
    return [*parts, arguments[start:].strip()]


def is_property(node: ast.FunctionDef) -> bool:
    """Whether it is read as a member."""
    return any(isinstance(one, ast.Name) and one.id == "property" for one in node.decorator_list)


def fields(node: ast.ClassDef) -> list[str]:
    """The members of a class that are read, each in a line."""
    lines = []
    for at, one in enumerate(node.body):
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and not one.target.id.startswith("_"):
            after = node.body[at + 1] if at + 1 < len(node.body) else None
            said = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            lines.append(
                f"- `{one.target.id}: {ast.unparse(one.annotation)}`" + (f": {' '.join(str(said).split())}" if said else "")
            )
        if isinstance(one, ast.FunctionDef) and is_property(one) and not one.name.startswith("_"):
            said = " ".join((ast.get_docstring(one) or "").split())
            lines.append(f"- `{one.name}: {ast.unparse(one.returns) if one.returns else ''}`: {said}")
    return lines


def class_text(name: str, node: ast.ClassDef) -> list[str]:
    """A class: what it is, its members, its methods."""
    lines = [f"### {name}", "", text(node), ""]
    if any(isinstance(base, ast.Name) and base.id == "StrEnum" for base in node.bases):
        words = [ast.literal_eval(one.value) for one in node.body if isinstance(one, ast.Assign)]
        return [*lines, " · ".join(f"`{word}`" for word in words), ""]
    members = fields(node)
    lines += [*members, ""] if members else []
    for one in node.body:
        if not isinstance(one, ast.FunctionDef) or is_property(one):
            continue
        if one.name == "of" and len(one.args.args) == 2:
            continue
        if one.name.startswith("_") and one.name not in ("__init__", "__call__"):
            continue
        if one.name == "__init__" and not ast.get_docstring(one):
            continue
        title = name if one.name == "__init__" else one.name.replace("__call__", "a call")
        spelt = name if one.name == "__init__" else f"{name}.{one.name}".replace(".__call__", "")
        lines += [f"#### {title}", "", "```python", f"{spelt}{signature(one, method=True)}", "```", "", text(one), ""]
    return lines


def page() -> str:
    """The whole page."""
    lines = [HEAD]
    for part, (module, _) in PARTS.items():
        lines += [f"## {part}", "", text(tree(module)), ""]
        for name, node in exported(module).items():
            if isinstance(node, ast.ClassDef):
                lines += class_text(name, node)
            elif isinstance(node, ast.FunctionDef):
                lines += [
                    f"### {name}",
                    "",
                    "```python",
                    f"{part}.{name}{signature(node, method=False)}",
                    "```",
                    "",
                    text(node),
                    "",
                ]
            elif isinstance(node, ast.Assign) and name != "__all__":
                lines += [f"### {name}", "", f"`{ast.unparse(node.value)}`", "", node.__dict__["said"], ""]
    whole = "\n".join(lines)
    while "\n\n\n" in whole:
        whole = whole.replace("\n\n\n", "\n\n")
    return whole.rstrip() + "\n"


def main() -> None:
    """Writes the page, or compares it."""
    made = page()
    if "--check" in sys.argv[1:]:
        if PAGE.read_text(encoding="utf-8") != made:
            sys.exit(f"{PAGE} is another than python {Path(__file__).name} writes")
        return
    PAGE.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
