// The line for an MCP client that is printed when a person starts the server on stdio by hand.

import { expect, it } from "vitest"
import { toCommand } from "../../src/nextcloud/client-line.ts"

it("the line for a client is the same command, with absolute paths", () => {
  const flags = [
    { name: "host", value: "cloud.example.org" },
    { name: "tools", value: "notes,calendar" },
    { name: "read-only", value: "" },
    { name: "database", value: "kept/my.db" },
    { name: "key-file", value: "/etc/holdpoint.keys" },
  ]
  expect(toCommand(flags, "https://cloud.example.org", "/srv/alice").join(" ")).toBe(
    "npx holdpoint nextcloud --host https://cloud.example.org --tools notes,calendar --read-only " +
      "--database /srv/alice/kept/my.db --key-file /etc/holdpoint.keys",
  )
})

it("the line for the account page has absolute paths, too", () => {
  const flags = [{ name: "database", value: "kept/my.db" }]
  expect(toCommand(flags, "https://cloud.example.org", "/srv/alice", ["account"]).join(" ")).toBe(
    "npx holdpoint nextcloud account --host https://cloud.example.org --database /srv/alice/kept/my.db",
  )
})

it("the line for a client keeps the URL of a database", () => {
  const flags = [{ name: "database", value: "postgres://db.example.org/holdpoint" }]
  expect(toCommand(flags, "https://cloud.example.org", "/srv/alice").at(-1)).toBe(flags[0]?.value)
})
