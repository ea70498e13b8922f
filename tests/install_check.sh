#!/bin/sh
# Install, upgrade and uninstall for real, in a Debian 13 of its own below a temporary folder (about three minutes;
# needs root, mmdebstrap and a Debian mirror). Nothing of this machine is touched and nothing stays mounted.
set -eu
project=$(cd "$(dirname "$0")/.." && pwd)
. "$project/tests/debian.sh"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

echo "making a Debian 13…"
mmdebstrap --quiet --variant=minbase --include=ca-certificates,make,python3,python3-venv,systemd,udev trixie "$root"
settings_into "$root"
mkdir "$root/srv/hextraction"
(cd "$project" && git ls-files -z | tar cf - --null -T -) | tar xf - -C "$root/srv/hextraction"

cat > "$root/srv/check.sh" <<'STEPS'
set -eu
wrong() { echo "WRONG: $*" >&2; exit 1; }
has_stub() { /opt/hextraction/venv/bin/pip list 2>/dev/null | grep -qi '^lgpio *0\.0\.'; }
cd /srv/hextraction

make install BUILD=hub-rich CLUB=1
/usr/local/bin/hextraction --version
/usr/local/bin/hextraction check /etc/hextraction/hextraction.toml
[ "$(systemctl is-enabled hextraction)" = enabled ] || wrong "not enabled"
id hextraction | grep -q gpio || wrong "the service's user has no pins"
[ -e /etc/systemd/system/hextraction.service.d/10-back-off.conf ] || wrong "no growing pauses"
systemd-analyze verify --man=no /etc/systemd/system/hextraction.service || wrong "the unit"
[ ! -e build ] && [ ! -e hextraction.egg-info ] || wrong "root's files in the checkout"
su -s /bin/sh hextraction -c 'cat /etc/hextraction/broker.secret' >/dev/null || wrong "the service cannot log in"

# On Python 3.13 pip takes an empty lgpio when it may not build the real one.
/opt/hextraction/venv/bin/pip install --quiet --only-binary :all: rpi-lgpio
has_stub || echo "(pip offers no empty lgpio any more)"
echo '# mine' >> /etc/hextraction/hextraction.toml
mkdir -p /var/lib/hextraction && echo games > /var/lib/hextraction/games.db
make upgrade
! has_stub || wrong "the empty lgpio is still there"
/opt/hextraction/venv/bin/pip list 2>/dev/null | grep -qi '^rpi-lgpio ' || wrong "what was added to the program is gone"
[ "$(tail -n 1 /etc/hextraction/hextraction.toml)" = '# mine' ] || wrong "settings lost"
[ "$(cat /var/lib/hextraction/games.db)" = games ] || wrong "games lost"

# Settings that the new version does not take: nothing is replaced. A rollback takes the version before, another returns.
used=$(readlink /opt/hextraction/venv)
cp /etc/hextraction/hextraction.toml /root/right.toml
echo 'nonsense = 1' >> /etc/hextraction/hextraction.toml
! make upgrade || wrong "wrong settings were taken"
[ "$(readlink /opt/hextraction/venv)" = "$used" ] || wrong "the version in use was replaced"
[ "$(ls /opt/hextraction/versions | wc -l)" = 2 ] || wrong "the version that was refused is still there"
! make rollback || wrong "wrong settings were taken by the version before"
cat /root/right.toml > /etc/hextraction/hextraction.toml
make rollback
[ "$(readlink /opt/hextraction/venv)" != "$used" ] || wrong "no version before"
/usr/local/bin/hextraction check /etc/hextraction/hextraction.toml
make rollback
[ "$(readlink /opt/hextraction/venv)" = "$used" ] || wrong "no way forward again"
rm /root/right.toml

make uninstall < /dev/null
[ -e /var/lib/hextraction/games.db ] || wrong "games gone without a word"
make uninstall PURGE=1
left=$(find / -xdev -iname '*hextraction*' -not -path '/srv/*' -not -path '/proc/*' -not -path '/sys/*')
[ -z "$left" ] || wrong "left: $left"
! id hextraction 2>/dev/null || wrong "the user is still there"
for group in hextraction gpio spi i2c; do ! getent group "$group" || wrong "a group of ours is still there"; done
echo "installed, upgraded and uninstalled: nothing is left"
STEPS

inside "$root" /srv/check.sh
