#!/bin/sh
# The first and only process of the machine with simulated pins: makes a chip of 28 lines like the Pi's header,
# runs the tests once per pin factory, writes each report to a serial line of its own, and ends the machine.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin PYTHONPATH=/srv/site:/srv/tests
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
insmod /srv/configfs.ko
insmod /srv/gpio-sim.ko
mount -t configfs config /sys/kernel/config
mount -t debugfs debug /sys/kernel/debug

# The first root is a folder for everybody; a real one is not.
chmod 755 /

# gpiozero asks for the board's revision there: this is a Pi 4B.
{ cat /proc/cpuinfo; echo "Revision : c03114"; } > /tmp/cpuinfo
mount --bind /tmp/cpuinfo /proc/cpuinfo

# A chip of the board's own comes first, as on a Pi 5: the header's is found by its label.
for chip in own:4:gpio-brcmstb header:28:pinctrl-bcm2711; do
  name=${chip%%:*} lines=${chip#*:}
  bank=/sys/kernel/config/gpio-sim/$name/bank
  mkdir -p $bank
  echo "${lines%:*}" > $bank/num_lines
  echo "${chip##*:}" > $bank/label
  echo 1 > $bank/../live
done

cd /tmp
mkdir /tmp/lgpio
serial=1
for factory in lgpio rpigpio; do
  echo "$factory on $(uname -r), $(python3 -V):"
  LG_WD=/tmp/lgpio RPI_LGPIO_REVISION=c03114 GPIO_SIM_FACTORY=$factory \
    python3 -m pytest -q --tb=short --color=no --import-mode=importlib -p no:cacheprovider -W error --junitxml=/tmp/report.xml \
    /srv/tests/helpers/gpio_sim/guest.py
  cat /tmp/report.xml > /dev/ttyS$serial
  serial=$((serial + 1))
done
sync
echo b > /proc/sysrq-trigger
