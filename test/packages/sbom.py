#!/usr/bin/env python3
# sbom.py - check the bill of materials of a release: the rules of SPDX 2.3 that it can break, sums and licenses
# SPDX-License-Identifier: MIT
"""usage: sbom.py FILE.spdx.json SOURCE    the other files of the release stand beside FILE"""
import hashlib
import json
import pathlib
import re
import subprocess
import sys

LICENSES = {"MIT", "CC-BY-4.0", "Apache-2.0", "FSFULLR", "X11", "GPL-2.0-or-later", "LGPL-2.1-or-later"}
EXCEPTIONS = {"Autoconf-exception-2.0"}
NEEDED = {"spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo", "packages",
          "relationships"}
KINDS = {"DESCRIBES", "GENERATED_FROM", "CONTAINS", "OPTIONAL_DEPENDENCY_OF"}
PURPOSES = {"SOURCE", "ARCHIVE"}
wrong = []


def expect(true, *words):
    if not true:
        wrong.append(" ".join(map(str, words)))


def check_license(words):
    """An expression: licenses, joined by AND or OR, each with an exception at most."""
    for part in re.split(r" (?:AND|OR) ", words):
        name, _, exception = part.partition(" WITH ")
        expect(name in LICENSES and (not exception or exception in EXCEPTIONS), "license:", part)


def check_packages(document, folder):
    names = set()
    for one in document["packages"]:
        expect(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", one["SPDXID"]) and one["SPDXID"] not in names, one["SPDXID"])
        names.add(one["SPDXID"])
        expect({"name", "downloadLocation", "copyrightText"} <= set(one) and one["filesAnalyzed"] is False, one)
        check_license(one["licenseConcluded"])
        check_license(one["licenseDeclared"])
        expect(one.get("primaryPackagePurpose", "SOURCE") in PURPOSES, one["primaryPackagePurpose"]
               if "primaryPackagePurpose" in one else "")
        if "packageFileName" in one:
            path = folder / one["packageFileName"]
            (sum_,) = one["checksums"]
            found = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else None
            expect(sum_ == {"algorithm": "SHA256", "checksumValue": found}, "sum of", path.name)
    files = {path.name for path in folder.iterdir()} - {"SHA256SUMS", pathlib.Path(sys.argv[1]).name}
    expect(files == {one["packageFileName"] for one in document["packages"] if "packageFileName" in one}, files)
    return names


def licenses_of(source):
    """What the files of the source say, by their second lines."""
    text = subprocess.run(["grep", "-rhoI", "--exclude-dir=.git", "--exclude-dir=build",
                           "SPDX-License-Identifier: [A-Za-z0-9.-]*", source], capture_output=True, text=True).stdout
    return {line.split(": ")[1] for line in text.splitlines()}


def main():
    path, source = map(pathlib.Path, sys.argv[1:])
    document = json.loads(path.read_text())
    expect(set(document) == NEEDED, set(document) ^ NEEDED)
    expect(document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0"
           and document["SPDXID"] == "SPDXRef-DOCUMENT", "the head")
    expect(re.fullmatch(r"https?://[^#\s]+/spdx/pt-[\d.]+-[0-9a-f]{64}", document["documentNamespace"]), "namespace")
    creation = document["creationInfo"]
    expect(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", creation["created"]), creation["created"])
    expect(all(re.match("(Person|Organization|Tool): ", one) for one in creation["creators"]), creation["creators"])
    names = check_packages(document, path.parent) | {"SPDXRef-DOCUMENT"}
    for one in document["relationships"]:
        expect({one["spdxElementId"], one["relatedSpdxElement"]} <= names and one["relationshipType"] in KINDS, one)
    described = {one["relatedSpdxElement"] for one in document["relationships"]
                 if one["relationshipType"] == "DESCRIBES"}
    expect(described == {one["SPDXID"] for one in document["packages"] if "packageFileName" in one}, "DESCRIBES")
    (tarball,) = (one for one in document["packages"] if one["name"] == "pt")
    for word in licenses_of(source):
        expect(word in tarball["licenseDeclared"], "a file of the source is under", word)
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
