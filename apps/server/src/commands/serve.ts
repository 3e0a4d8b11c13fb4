// `holdpoint serve`: the pages where people say yes, on one address, until it is stopped.

import { randomBytes } from "node:crypto"
import type { Call, Command } from "../command.ts"
import type { Settings } from "../config.ts"
import type { Server, ServerOptions } from "../serve/server.ts"
import type { StorageSession } from "../session.ts"
import { withStorage } from "../session.ts"

export const serve: Command = {
  name: "serve",
  summary: "Serve the pages: sign-in, connect, inbox, account.",
  usage: "[flags]",
  words: { least: 0, most: 0 },
  usesDatabase: true,
  flags: {
    local: { help: "for the person at this machine: nobody signs in, each link is claimed by one browser" },
  },
  notes: [
    "Without identityProviders in the settings it brings its own, with alice and bob, for trying out.",
    "A port that is taken moves on to the next, and is said. Ctrl-C ends it.",
  ],
  run: (call) =>
    withStorage(call, { mustExist: false, adviseAlways: true }, async (session) => {
      const server = await start(call, session)
      try {
        if (server.warning !== undefined) call.out.note(server.warning)
        if (call.given.has("json")) call.out.json({ publicUrl: server.publicUrl })
        else call.out.say(`Holdpoint is at ${server.publicUrl} (Ctrl-C ends it)`)
        if (call.given.has("local")) tellLocal(call, server)
        await stopped(call)
      } finally {
        await server.close()
      }
      return 0 as const
    }),
}

async function start(call: Call, { storage, sealer, settings, report }: StorageSession): Promise<Server> {
  // Loaded here: no other command needs an HTTP server and an identity provider.
  const { startServer } = await import("../serve/server.ts")
  const { callbackUrl, publicUrl, host, port, returnTargets, openers } = settings.pages
  const options = (at: number): ServerOptions => ({
    ...{ storage, sealer, report, host, port: at },
    providers: settings.providers,
    people: peopleOf(call, settings),
    network: settings.network,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    hub: { limits: settings.limits, retention: settings.retention },
    ...(callbackUrl === undefined ? {} : { consent: { callbackUrl } }),
    pages: { returnTargets, openers },
    runtime: call.io.runtime,
  })
  for (let at = port; ; at++) {
    try {
      return await startServer(options(at))
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE"
      // A named public address leads to this port and no other.
      if (!isTaken || publicUrl !== undefined || at - port >= mostPorts) throw error
      call.out.note(`Port ${at} is taken; trying ${at + 1}.`)
    }
  }
}

const mostPorts = 20

function peopleOf(call: Call, settings: Settings): ServerOptions["people"] {
  if (call.given.has("local")) return { from: "local", user: settings.me.subject, secret: randomBytes(32) }
  const { identityProviders } = settings
  return identityProviders.length > 0 ? { from: "providers", providers: identityProviders } : { from: "embedded" }
}

/** The person compares it with what their browser shows. */
function tellLocal({ out }: Call, { identity, publicUrl }: Server): void {
  if (!("codeOf" in identity)) return
  out.say(`Your inbox: ${publicUrl}/inbox (code ${identity.codeOf("inbox")})`)
  out.say(`Your account: ${publicUrl}/account (code ${identity.codeOf("account")})`)
}

function stopped({ io: { signal } }: Call): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener("abort", () => resolve(), { once: true })
  })
}
