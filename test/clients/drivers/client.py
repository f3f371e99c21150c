"""Sends what each line of stdin describes, with requests, and prints each answer as a line of JSON."""
import json
import socket
import sys

import requests

session = requests.Session()


def exchange(wire, host, port, times):
    """Sends a text over many connections at once. Returns what came back on each until it ended."""
    sockets = [socket.create_connection((host, port), timeout=20) for _ in range(times)]
    for n, one in enumerate(sockets):
        one.sendall(wire.replace("{n}", f"{n:03}").encode("utf-8"))
    return [b"".join(iter(lambda: one.recv(65536), b"")).decode("utf-8") for one in sockets]


for line in sys.stdin:
    wanted = json.loads(line)
    if "wire" in wanted:
        print(json.dumps(exchange(**wanted)), flush=True)
        continue
    how = wanted.get("how")
    options = {"headers": dict(wanted["headers"])}
    if how != "credentials in the address":
        options["auth"] = (wanted["username"], wanted["password"])
    if "type" in wanted:
        options["headers"]["Content-Type"] = wanted["type"]
    if "text" in wanted:
        options["data"] = wanted["text"].encode("utf-8")
    elif "body" in wanted and ("type" in wanted or how == "chunked"):
        options["data"] = json.dumps(wanted["body"])
    elif "body" in wanted and wanted["body"]:
        options["json"] = wanted["body"]
    elif "body" in wanted:
        # An empty one is none to json=.
        options["data"] = json.dumps(wanted["body"])
    if how == "chunked":
        options["data"] = iter([options["data"].encode("utf-8")])
    answer = session.request(wanted["method"], wanted["url"], **options)
    print(
        json.dumps(
            {
                "status": answer.status_code,
                "headers": {name.lower(): value for name, value in answer.headers.items()},
                "text": answer.text,
            }
        ),
        flush=True,
    )
