"""A Secret Service that misbehaves, on the session bus. Prints "ready" once it owns the name.

silent     owns the name and never answers anything
prompting  is locked and asks for its password, which somebody types
dismissed  is locked, and whoever it asks for its password closes the window
"""

import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.secrets"
SERVICE = "org.freedesktop.Secret.Service"
ITEM = "/org/freedesktop/secrets/collection/login/1"
PROMPT = "/org/freedesktop/secrets/prompt/1"
SESSION = "/org/freedesktop/secrets/session/1"
SECRET = b'{"username":"ada","apiToken":"from-the-prompt"}'


class Prompt(dbus.service.Object):
    def __init__(self, bus, service):
        super().__init__(bus, PROMPT)
        self.service = service

    @dbus.service.method("org.freedesktop.Secret.Prompt", in_signature="s")
    def Prompt(self, window):
        GLib.idle_add(self.close, self.service.mode == "dismissed")

    @dbus.service.method("org.freedesktop.Secret.Prompt")
    def Dismiss(self):
        self.close(True)

    @dbus.service.signal("org.freedesktop.Secret.Prompt", signature="bv")
    def Completed(self, dismissed, result):
        pass

    def close(self, dismissed):
        self.service.is_locked = dismissed
        paths = [] if dismissed else [ITEM]
        self.Completed(dismissed, dbus.Array(paths, signature="o", variant_level=1))


class Service(dbus.service.Object):
    def __init__(self, bus, mode):
        super().__init__(bus, "/org/freedesktop/secrets")
        self.mode = mode
        self.is_locked = True
        self.prompt = Prompt(bus, self)

    @dbus.service.method(SERVICE, in_signature="sv", out_signature="vo")
    def OpenSession(self, algorithm, _input):
        if algorithm != "plain":
            raise dbus.DBusException("no", name="org.freedesktop.DBus.Error.NotSupported")
        return dbus.String("", variant_level=1), dbus.ObjectPath(SESSION)

    @dbus.service.method(SERVICE, in_signature="a{ss}", out_signature="aoao")
    def SearchItems(self, _attributes):
        items = dbus.Array([ITEM], signature="o")
        none = dbus.Array([], signature="o")
        return (none, items) if self.is_locked else (items, none)

    @dbus.service.method(SERVICE, in_signature="ao", out_signature="aoo")
    def Unlock(self, paths):
        none = dbus.Array([], signature="o")
        if self.is_locked:
            return none, dbus.ObjectPath(PROMPT)
        return paths, dbus.ObjectPath("/")

    @dbus.service.method(SERVICE, in_signature="aoo", out_signature="a{o(oayays)}")
    def GetSecrets(self, _items, session):
        if self.is_locked:
            return dbus.Dictionary({}, signature="o(oayays)")
        secret = (session, dbus.ByteArray(b""), dbus.ByteArray(SECRET), "text/plain")
        return {dbus.ObjectPath(ITEM): secret}


def main(mode):
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    if mode == "silent":
        bus.request_name(NAME)
        print("ready", flush=True)
        GLib.MainLoop().get_context().acquire()
        # Nothing is read from the bus any more, so nothing is ever answered.
        sys.stdin.read()
        return
    service = Service(bus, mode)
    bus.request_name(NAME)
    print("ready", flush=True)
    GLib.MainLoop().run()
    del service


main(sys.argv[1])
