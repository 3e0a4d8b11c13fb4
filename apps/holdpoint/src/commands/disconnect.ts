// `holdpoint disconnect`: ends a connection here and revokes its grant at the provider.

import { HoldpointError } from "@holdpoint/hub"
import { withVault } from "../accounts.ts"
import type { Command } from "../command.ts"
import { withIsoTimes } from "../iso-times.ts"
import { wrongUse } from "../wrong-use.ts"

export const disconnect: Command = {
  name: "disconnect",
  summary: "End a connection, here and at the provider.",
  usage: "ID [flags]",
  words: { least: 1, most: 1 },
  usesDatabase: true,
  flags: {},
  notes: ["`holdpoint connections` shows the ids; the first six characters are enough."],
  run: (call) =>
    withVault(call, { mustExist: true }, async ({ vault, settings }) => {
      const idPrefix = call.args.words[0] ?? ""
      const { tenant } = settings.me
      if (idPrefix.length < minPrefixLength)
        throw wrongUse(`“${idPrefix}” is too short for an id.`, `Write its first ${minPrefixLength} characters.`)
      const connections = await vault.listOfTenant(tenant)
      const matches = connections.filter(({ id, status }) => id.startsWith(idPrefix) && status !== "revoked")
      const [connection, second] = matches
      if (connection === undefined || second !== undefined) {
        const problem = connection === undefined ? "There is no connection" : "There are several connections"
        throw new HoldpointError(
          "not_found",
          `${problem} whose id begins with “${idPrefix}”. \`holdpoint connections\` lists them.`,
        )
      }
      const disconnection = await vault.disconnect(connection.id, { by: settings.me })
      if (call.args.has("json")) call.out.json(withIsoTimes(disconnection))
      else call.out.say(words[disconnection.upstream])
      if (disconnection.settings !== undefined) call.out.note(`Remove the grant there too: ${disconnection.settings}`)
      return 0 as const
    }),
}

const minPrefixLength = 6

const words = {
  revoked: "Disconnected, and revoked at the provider.",
  later: "Disconnected. The provider could not be reached yet; `holdpoint serve` keeps trying.",
  impossible: "Disconnected here. The provider offers no way to revoke a grant.",
}
