#!/usr/bin/env bash
# pg 8.23.1, with `connectionTimeoutMillis` and a function as `password`. The server is a socket that asks for a
# password as soon as the client says who it is.
#
# Guess: the limit is for the network. A function that asks a person or a secrets manager takes the time that it takes,
# since the server has answered already.
# Seen: the limit runs until the session is ready. The connection fails in the middle of the function, and the error says
# nothing of the password.
# Output seen: asked for the password; timeout expired
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund pg@8.23.1
seen=$(node -e '
  const { Client } = require("pg");
  const CLEARTEXT_PASSWORD = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
  const server = require("node:net").createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.write(CLEARTEXT_PASSWORD));
  });
  server.listen(0, "127.0.0.1", async () => {
    const said = [];
    const password = () => {
      said.push("asked for the password");
      return new Promise((resolve) => setTimeout(resolve, 2000, "key"));
    };
    const { port } = server.address();
    const client = new Client({ host: "127.0.0.1", port, user: "ada", password, connectionTimeoutMillis: 500 });
    client.on("error", () => {});
    await client.connect().catch(({ message }) => said.push(message));
    console.log(said.join("; "));
    process.exit();
  });
')
echo "$seen"
[[ $seen == 'asked for the password; timeout expired' ]] || { echo "it has changed"; exit 1; }
