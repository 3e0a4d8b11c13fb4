// `holdpoint connections`: lists the connected accounts, their owners and their state.

import type { Connection } from "@holdpoint/hub/internal"
import { ownerFlags, ownerOf, ownerWords, withVault } from "../accounts.ts"
import type { Call, Command } from "../command.ts"
import { inWords } from "../duration.ts"
import { withIsoTimes } from "../iso-times.ts"

export const connections: Command = {
  name: "connections",
  summary: "List connected accounts.",
  usage: "[flags]",
  words: { least: 0, most: 0 },
  usesDatabase: true,
  flags: {
    ...ownerFlags,
    projects: { help: "the accounts of all projects" },
    all: { help: "include disconnected accounts" },
  },
  notes: ["To connect one: holdpoint connect PROVIDER. To end one: holdpoint disconnect ID."],
  run: (call) =>
    withVault(call, { mustExist: true }, async ({ vault, settings }) => {
      const connections = call.args.has("projects")
        ? (await vault.listOfTenant(settings.me.tenant)).filter(({ owner }) => owner.kind === "project")
        : await vault.list(ownerOf(call, settings))
      const shownConnections = connections.filter(
        ({ status }) => call.args.has("all") || (status !== "revoked" && status !== "pending"),
      )
      if (call.args.has("json")) call.out.json(withIsoTimes(shownConnections.map(toPublic)))
      else printConnections(call, shownConnections)
      return 0 as const
    }),
}

/** The connection without its sealed and internal members. */
function toPublic(connection: Connection) {
  const { sealed: _sealed, lease: _lease, mergedFrom: _mergedFrom, ...rest } = connection
  return rest
}

function printConnections({ out, io }: Call, connections: readonly Connection[]): void {
  if (connections.length === 0) out.say("Nothing is connected.")
  for (const connection of connections) {
    const { id, provider, account, status, scopes, reason, lastUsedAt } = connection
    out.say(`${id}  ${provider}${account === undefined ? "" : ` as ${account.name ?? account.id}`}  ${status}`)
    out.say(`    of ${ownerWords(connection)}${scopes.length === 0 ? "" : `; scopes: ${scopes.join(", ")}`}`)
    if (reason !== undefined) out.say(`    reason: ${reason.message ?? reason.code}`)
    if (lastUsedAt !== undefined) out.say(`    last used ${inWords(io.runtime.now() - lastUsedAt)} ago`)
  }
}
