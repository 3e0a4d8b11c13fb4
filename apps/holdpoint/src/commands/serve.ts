// `holdpoint serve`: serves the pages (sign-in, connect, inbox, account) on one address until it is stopped.

import { randomBytes } from "node:crypto"
import { defineProvider } from "@holdpoint/accounts/providers"
import { paths } from "@holdpoint/hub"
import type { Call, Command } from "../command.ts"
import type { LogFormat, Settings } from "../config.ts"
import { awaitDatabase } from "../serve/await-database.ts"
import { keyHeader } from "../serve/client-line.ts"
import { drain } from "../serve/drain.ts"
import { whileWatched } from "../serve/faults.ts"
import { createHealth } from "../serve/health.ts"
import { readLadder } from "../serve/ladder.ts"
import { loadParts } from "../serve/parts.ts"
import { startOnPort } from "../serve/ports.ts"
import type { Server, ServerOptions } from "../serve/server.ts"
import type { ServerTelemetry } from "../serve/telemetry.ts"
import type { StorageOptions, StorageSession } from "../session.ts"
import { withStorage } from "../session.ts"
import { logFormat, logFormats } from "../setting-kinds.ts"
import { showAddress } from "../show-address.ts"
import { wrongUse } from "../wrong-use.ts"

export const serve: Command = {
  name: "serve",
  summary: "Serve the pages (sign-in, connect, inbox, account) and the configured agents.",
  usage: "[flags]",
  words: { least: 0, most: 0 },
  usesDatabase: true,
  flags: {
    log: {
      value: "FORMAT",
      choices: logFormats,
      help: "the log format, one line for each question, its end and each refusal: text, json or off (default text)",
    },
    local: { help: "for the person at this machine: no sign-in; a key identifies their browser" },
  },
  notes: [
    "Without identityProviders in the settings, people sign in as alice or bob with a built-in provider, for trying out.",
    "If the default port is taken, the next free one is used and printed; a port that you name is never changed.",
  ],
  run: (call) =>
    withStorage(call, toStorageOptions(call), async (session) => {
      // Imported here: no other command needs telemetry.
      const { openTelemetry } = await import("../serve/telemetry.ts")
      const telemetry = await openTelemetry(call, session, logOf(call, session.settings))
      const health = createHealth({ storage: session.storage, now: call.io.runtime.now })
      const mounts = [health.mount, ...telemetry.mounts]
      // The database can go away again while the parts of the server are opened.
      const starting = awaitDatabase(call, session.settings.database, () =>
        start(call, session, { observer: telemetry.observer, mounts }),
      )
      const server = await starting.catch(async (error: unknown) => {
        await telemetry.close()
        throw error
      })
      try {
        if (server.warning !== undefined) call.out.note(server.warning)
        const { localKeyFile } = session.settings
        const isLocal = call.args.has("local")
        if (call.args.has("json")) call.out.json({ publicUrl: server.publicUrl, ...(isLocal ? { localKeyFile } : {}) })
        else call.out.say(`Holdpoint is at ${server.publicUrl}${listeningAt(server)} (Ctrl-C ends it)`)
        printAgents(call, session.settings, server)
        if (isLocal) printLinks(call, server)
        await whileWatched(session, () => drain(call.io, health, session.settings.drainMs))
      } finally {
        await server.close()
        await telemetry.close()
      }
      return 0 as const
    }),
}

const toStorageOptions = (call: Call): StorageOptions => ({
  mustExist: false,
  adviseAlways: true,
  awaits: true,
  logOf: (settings) => logOf(call, settings),
})

/** The log format: of the flag if it is set, else of the setting. */
function logOf({ args }: Call, { log }: Settings): LogFormat {
  const requestedFormat = args.one("log")
  if (requestedFormat === undefined) return log
  if (logFormat.fromText(requestedFormat) === undefined)
    throw wrongUse(`--log cannot be “${requestedFormat}”.`, `Write ${logFormat.expected}.`)
  return requestedFormat as LogFormat
}

type TelemetryParts = Pick<ServerTelemetry, "observer" | "mounts">

async function start(call: Call, session: StorageSession, { observer, mounts }: TelemetryParts): Promise<Server> {
  const { storage, keys, settings, report } = session
  // Imported here: no other command needs an HTTP server and an identity provider.
  const { startServer } = await import("../serve/server.ts")
  const { callbackUrl, publicUrl, host, port, isPortNamed, returnTargets, openers } = settings.pages
  const people = peopleOf(call, settings)
  const { parts, authorization } = await loadParts(session)
  const ladder = readLadder(settings)
  const options = (freePort: number): ServerOptions => ({
    ...{ storage, keys, report, host, port: freePort },
    providers: settings.providers.map(defineProvider),
    people,
    ...(authorization === undefined || people.from === "local" ? {} : { authorization }),
    network: settings.network,
    programs: settings.programs,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    parts,
    hub: { limits: settings.limits, retention: settings.retention },
    ...(ladder === undefined ? {} : { ladder }),
    ...(callbackUrl === undefined ? {} : { consent: { callbackUrl } }),
    pages: { returnTargets, openers },
    observer,
    mounts: () => mounts,
    runtime: call.io.runtime,
  })
  // A proxy forwards the configured public address to this port, so the server must not move to the next free port.
  const isNamed = isPortNamed || publicUrl !== undefined
  return startOnPort({ host, port, isNamed }, call.out.note, (freePort) => startServer(options(freePort)))
}

function peopleOf(call: Call, settings: Settings): ServerOptions["people"] {
  if (call.args.has("local")) {
    const { subject: user, tenant } = settings.me
    return {
      from: "local",
      user,
      tenant,
      secret: randomBytes(32),
      programKeyFile: settings.localKeyFile,
      ...showAddress(call, settings),
    }
  }
  const { identityProviders } = settings
  return identityProviders.length > 0 ? { from: "providers", providers: identityProviders } : { from: "embedded" }
}

/** Prints the addresses of the agents. */
function printAgents({ out, args }: Call, { agents: section, localKeyFile }: Settings, { publicUrl }: Server): void {
  if (section === undefined || args.has("json")) return
  const { agents = {} } = section as { readonly agents?: object }
  out.say(
    `Agents: ${Object.keys(agents).join(", ")}, at ${publicUrl}/run/api/chat (docs: ${publicUrl}/run/openapi.json)`,
  )
  out.say(
    `For other agents (A2A): ${Object.keys(agents)
      .map((name) => `${publicUrl}/a2a/${name}`)
      .join(", ")}`,
  )
  if (args.has("local")) out.say(`Your programs send the header -H ${keyHeader(localKeyFile)}`)
}

/** Names the address that the server listens on. Empty when that is the public address. */
const listeningAt = ({ publicUrl, address }: Server): string =>
  publicUrl === address ? "" : `, listening at ${address}`

/** Prints each link with its code, so that the person can compare it with the code in the browser. */
function printLinks(call: Call, { identity, addresses, hub }: Server): void {
  if (!("principal" in identity)) return
  const { out, io } = call
  const { principal } = identity
  out.say(`Your inbox: ${addresses.home(paths.inbox)} (code ${addresses.codeOf()})`)
  const follow = async (): Promise<void> => {
    for await (const { id, kind } of hub.watch({ principal }, { signal: io.signal })) {
      if (kind !== "asked") continue
      const question = await hub.get(id)
      const isOwnUrl = question?.mode === "url" && addresses.isOurs(question.url)
      const url = isOwnUrl ? question.url : addresses.to(paths.question, id)
      out.say(`A question for you: ${url}?key=${identity.keyOf(id)} (code ${addresses.codeOf(id)})`)
    }
  }
  // Not awaited: the loop runs until the server stops. Its errors are ignored.
  follow().catch(() => {})
}
