#!/bin/sh
# Unpack the Pico SDK of Debian 13 into a folder, on a Debian that does not have it (12).
#
# Both packages are architecture-independent sources, so nothing of the running system changes. Where to get
# them from is taken from the machine's own package sources with the release's name replaced.
set -eu
into=$1
wanted=trixie
. /etc/os-release
here=${VERSION_CODENAME:?this is no Debian}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/sources" "$work/lists/partial"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    if [ -f "$file" ] && grep -q "$here" "$file"; then
        sed "s/$here-updates//g; s/$here/$wanted/g" "$file" >"$work/sources/$(basename "$file")"
    fi
done
cat >"$work/apt.conf" <<CONF
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$work/sources";
Dir::State::lists "$work/lists";
CONF
cd "$work"
APT_CONFIG=$work/apt.conf apt-get update -qq
APT_CONFIG=$work/apt.conf apt-get download -qq pico-sdk-source tinyusb-source
mkdir -p "$into"
for package in *.deb; do
    dpkg-deb -x "$package" "$into"
done
