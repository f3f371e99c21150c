"""A Secret Service that misbehaves, on the session bus. Prints "ready" once it owns the name.

It has one entry, of the account live. Its modes:

silent      owns the name and never answers anything
prompting   is locked and asks for its password, which somebody types
dismissed   is locked, and whoever it asks for its password closes the window
unanswered  is locked and asks for its password, and nobody is there
closed      has a closed database, which shows no entry and asks nothing
empty       has no database
denying     asks before an entry is written, and somebody declines (KeePassXC reports no error then)
keeping     asks before an entry is deleted, and somebody declines
unread      lets a program delete an entry only once it has read it, as KeePassXC does
refusing    refuses the first session, as KWallet does with one in 256
own         its entry has attributes of the user's own
other       its entry has another schema, so keytar does not find it
"""

import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.secrets"
INTERFACE = "org.freedesktop.Secret."
SERVICE = INTERFACE + "Service"
COLLECTION = INTERFACE + "Collection"
ITEM = INTERFACE + "Item"
PROMPT = INTERFACE + "Prompt"
PROPERTIES = "org.freedesktop.DBus.Properties"
TOP = "/org/freedesktop/secrets"
SECRET = b'{"username":"ada","apiToken":"from-the-prompt"}'
NO_PROMPT = dbus.ObjectPath("/")
KEEPASSXC = {"Title": "gw/live", "Path": "/gw/live", "Uuid": "1", "Notes": "", "URL": "", "UserName": ""}
OF_MODE = {
    "own": {"URL": 'https://shop.example/"a"\n)', "colour": "red"},
    "other": {"xdg:schema": INTERFACE + "Note"},
}


def paths(*texts):
    return dbus.Array([dbus.ObjectPath(text) for text in texts], signature="o")


class Thing(dbus.service.Object):
    """An object with properties."""

    def __init__(self, state, path):
        super().__init__(state.bus, path)
        self.state = state

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, _interface, name):
        return self.properties()[name]

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, _interface):
        return dbus.Dictionary(self.properties(), signature="sv")


class Prompt(dbus.service.Object):
    """
    @param done called if somebody agrees; returns the result
    @param nothing the result if nobody does; libsecret 0.20.5 waits for ever after one of another type
    """

    def __init__(self, state, is_dismissed, done=paths, nothing=paths()):
        self.path = f"{TOP}/prompt/{state.next_number()}"
        super().__init__(state.bus, self.path)
        self.is_dismissed, self.done, self.nothing = is_dismissed, done, nothing
        self.is_answered = state.mode != "unanswered"

    @dbus.service.method(PROMPT, in_signature="s")
    def Prompt(self, _window):
        if self.is_answered:
            GLib.idle_add(self.close)

    @dbus.service.method(PROMPT)
    def Dismiss(self):
        self.is_dismissed = True
        self.close()

    @dbus.service.signal(PROMPT, signature="bv")
    def Completed(self, dismissed, result):
        pass

    def close(self):
        self.Completed(self.is_dismissed, self.nothing if self.is_dismissed else self.done())


class Item(Thing):
    def __init__(self, state, attributes, secret):
        self.path = f"{state.collection_path}/{state.next_number()}"
        super().__init__(state, self.path)
        self.attributes, self.secret = dict(attributes), secret

    def properties(self):
        return {
            # KeePassXC has attributes of its own in every entry.
            "Attributes": dbus.Dictionary(KEEPASSXC | self.attributes, signature="ss"),
            "Label": "gw/live",
            "Locked": self.state.is_locked,
            "Created": dbus.UInt64(0),
            "Modified": dbus.UInt64(0),
        }

    @dbus.service.method(ITEM, out_signature="o")
    def Delete(self):
        if self.state.mode == "keeping":
            return dbus.ObjectPath(Prompt(self.state, True).path)
        self.state.items.remove(self)
        return NO_PROMPT


class Collection(Thing):
    def properties(self):
        return {
            "Items": paths(*(item.path for item in self.state.items)),
            "Label": "Passwords",
            "Locked": self.state.is_closed(),
            "Created": dbus.UInt64(0),
            "Modified": dbus.UInt64(0),
        }

    @dbus.service.method(COLLECTION, in_signature="a{ss}", out_signature="ao")
    def SearchItems(self, attributes):
        return paths(*(item.path for item in self.state.matching(attributes)))

    @dbus.service.method(COLLECTION, in_signature="a{sv}(oayays)b", out_signature="oo")
    def CreateItem(self, properties, secret, _replace):
        if self.state.mode == "denying":
            return NO_PROMPT, dbus.ObjectPath(Prompt(self.state, True, nothing=NO_PROMPT).path)
        attributes = properties[ITEM + ".Attributes"]
        found = self.state.matching(attributes)
        if not found:
            found = [Item(self.state, attributes, b"")]
            self.state.items += found
        found[0].secret = bytes(secret[2])
        return dbus.ObjectPath(found[0].path), NO_PROMPT


class Service(Thing):
    def properties(self):
        return {"Collections": paths() if self.state.mode == "empty" else paths(self.state.collection_path)}

    @dbus.service.method(SERVICE, in_signature="sv", out_signature="vo")
    def OpenSession(self, algorithm, _input):
        if self.state.is_refusing:
            self.state.is_refusing = False
            raise dbus.DBusException(
                "Client public key size is invalid", name="org.freedesktop.DBus.Error.InvalidArgs"
            )
        if algorithm != "plain":
            raise dbus.DBusException("no", name="org.freedesktop.DBus.Error.NotSupported")
        return dbus.String("", variant_level=1), dbus.ObjectPath(f"{TOP}/session/1")

    @dbus.service.method(SERVICE, in_signature="a{ss}", out_signature="aoao")
    def SearchItems(self, attributes):
        items = paths(*(item.path for item in self.state.matching(attributes)))
        return (paths(), items) if self.state.is_locked else (items, paths())

    @dbus.service.method(SERVICE, in_signature="ao", out_signature="aoo")
    def Unlock(self, asked):
        if not self.state.is_locked:
            return asked, NO_PROMPT

        def done():
            self.state.is_locked = False
            return dbus.Array(asked, signature="o", variant_level=1)

        return paths(), dbus.ObjectPath(Prompt(self.state, self.state.mode == "dismissed", done).path)

    @dbus.service.method(SERVICE, in_signature="aoo", out_signature="a{o(oayays)}")
    def GetSecrets(self, items, session):
        found = [] if self.state.is_locked else [item for item in self.state.items if item.path in items]
        secrets = {
            dbus.ObjectPath(item.path): (session, dbus.ByteArray(b""), dbus.ByteArray(item.secret), "text/plain")
            for item in found
        }
        return dbus.Dictionary(secrets, signature="o(oayays)")

    @dbus.service.method(SERVICE, in_signature="s", out_signature="o")
    def ReadAlias(self, _name):
        return dbus.ObjectPath(self.state.collection_path)


class State:
    def __init__(self, bus, mode):
        self.bus, self.mode = bus, mode
        self.number = 0
        self.is_locked = mode in ("prompting", "dismissed", "unanswered", "unread")
        self.is_refusing = mode == "refusing"
        self.collection_path = TOP + "/collection/passwords"
        self.objects = [
            Service(self, TOP),
            Collection(self, self.collection_path),
            Collection(self, TOP + "/aliases/default"),
        ]
        attributes = {"service": "gw", "account": "live", "xdg:schema": INTERFACE + "Generic"} | OF_MODE.get(mode, {})
        self.items = [] if mode in ("closed", "empty") else [Item(self, attributes, SECRET)]

    def next_number(self):
        self.number += 1
        return self.number

    def is_closed(self):
        # KeePassXC calls an entry locked that a program may not read yet, and its database open.
        return self.mode == "closed" or self.is_locked and self.mode != "unread"

    def matching(self, asked):
        return [item for item in self.items if asked.items() <= item.attributes.items()]


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
    state = State(bus, mode)
    bus.request_name(NAME)
    print("ready", flush=True)
    GLib.MainLoop().run()
    del state


main(sys.argv[1])
