#!/usr/bin/env bash
# Builds the documentation of every public module, a warning being an error, as one site in .build/docs.
#
# The public modules are the targets of the library products. Each has a catalog, Sources/MODULE/MODULE.docc, whose
# module page puts every public symbol into a group of its Topics; what is left over fails the build.
set -euo pipefail
cd "$(dirname "$0")/.."

site=.build/docs
work=.build/docs-build
mkdir -p "$work"
docc=$(command -v docc || xcrun --find docc) || { echo "make-docs: no docc beside $(command -v swift)" >&2; exit 1; }

# In the order of the manifest, so that each module stands behind those that it can link to.
modules=$(swift package dump-package | python3 -c '
import json, sys
package = json.load(sys.stdin)
public = {name for product in package["products"] if "library" in product["type"] for name in product["targets"]}
print(*(target["name"] for target in package["targets"] if target["name"] in public))')

for module in $modules; do
  if [ ! -f "Sources/$module/$module.docc/$module.md" ]; then
    echo "make-docs: Sources/$module/$module.docc/$module.md: expected the page of a public module, found none" >&2
    exit 1
  fi
done

# The compiler writes a module's symbols where it compiles the module, so the graphs stay where they are between runs.
graphs=$PWD/$work/graphs
for module in $modules; do
  echo "make-docs: symbols of $module"
  swift build --quiet --scratch-path "$work/modules" --target "$module" \
    -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$graphs" \
    -Xswiftc -symbol-graph-minimum-access-level -Xswiftc public -Xswiftc -symbol-graph-skip-synthesized-members \
    -Xswiftc -emit-extension-block-symbols
done

archives=()
dependencies=()
for module in $modules; do
  rm -rf "${work:?}/symbols" "$work/$module.doccarchive"
  mkdir "$work/symbols"
  cp "$graphs/$module.symbols.json" "$work/symbols"
  for extension in "$graphs/$module@"*.symbols.json; do
    [ ! -e "$extension" ] || cp "$extension" "$work/symbols"
  done
  "$docc" convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$work/symbols" \
    --fallback-display-name "$module" --fallback-bundle-identifier "inkling.$module" \
    --fallback-default-module-kind Module --enable-experimental-external-link-support \
    ${dependencies[@]+"${dependencies[@]}"} --warnings-as-errors --output-path "$work/$module.doccarchive"
  archives+=("$work/$module.doccarchive")
  dependencies+=(--dependency "$work/$module.doccarchive")
done

# docc puts symbols that no group names into groups of its own making.
python3 - "${archives[@]}" <<'PYTHON'
import json, pathlib, sys

status = 0
for archive in map(pathlib.Path, sys.argv[1:]):
    module = archive.stem
    page = json.loads((archive / f"data/documentation/{module.lower()}.json").read_text())
    for section in page["topicSections"]:
        if section.get("generated"):
            names = ", ".join(identifier.rsplit("/", 1)[1] for identifier in section["identifiers"])
            place = f"Sources/{module}/{module}.docc/{module}.md"
            print(f"make-docs: {place}: its Topics leave out {names}; add them to a group", file=sys.stderr)
            status = 1
sys.exit(status)
PYTHON

rm -rf "$site"
"$docc" merge "${archives[@]}" --synthesized-landing-page-name Inkling --output-path "$site"
echo "make-docs: the documentation of $modules is in $site"
echo "make-docs: to read it: python3 -m http.server --directory $site, then http://localhost:8000/documentation"
