// Serves HTTP on one address: the scripts, the pages and, if people sign in, the authorization server.

import { paths } from "@holdpoint/hub"
import type { Call, ExitCode } from "../command.ts"
import { printHttpClients } from "../serve/client-line.ts"
import { toOptions } from "../serve/local-options.ts"
import { serveOneAddress } from "../serve/one-address.ts"
import type { Server } from "../serve/server.ts"
import { createScriptsMcp } from "./parts.ts"
import type { Plan } from "./plan.ts"

/** The scope that a client's token needs. */
const useScope = "shell.use"

export async function serveHttp(call: Call, plan: Plan): Promise<ExitCode> {
  const { settings, port = 0, name } = plan
  const { identityProviders: providers } = settings
  const people = providers.length === 0 ? {} : { people: { from: "providers" as const, providers } }
  const resource = { resource: paths.mcp, name, scopes: { [useScope]: "Run the scripts in your name" } }
  const authorization = providers.length === 0 ? {} : { authorization: { resources: [resource], registration: {} } }
  await serveOneAddress(
    call,
    { settings, port, usesDatabase: true, ...people },
    {
      toServed: async () => ({
        ...toOptions(plan),
        ...authorization,
        mount: (site) => createScriptsMcp(call, plan, { ...site, callers: site.callersAt(paths.mcp) }),
      }),
      onStart: (server) => printAddresses(call, plan, server),
    },
  )
  return 0
}

function printAddresses({ out, args }: Call, { folder, settings }: Plan, server: Server): void {
  const { publicUrl, addresses, identity } = server
  const mcp = addresses.to(paths.mcp)
  const localKeyFile = "principal" in identity ? settings.localKeyFile : undefined
  if (args.has("json")) return void out.json({ url: publicUrl, mcp, folder, localKeyFile })
  out.say(`The scripts of ${folder} are at ${mcp} (Ctrl-C ends it)`)
  out.say("")
  printHttpClients({ out }, { name: "scripts", mcp, keyFile: localKeyFile })
  const code = addresses.codeOf()
  if (code !== undefined) out.say("Your inbox:      ", `${addresses.home(paths.inbox)} (code ${code})`)
}
