// Runs an agent for one editor on standard input and output, until the editor disconnects or a signal stops the
// process. Standard output carries the protocol and nothing else.

import { Readable, Writable } from "node:stream"
import { type AgentConnection, MessageTooLargeError, ndJsonStream } from "@agentclientprotocol/sdk"
import type { OpenRuns } from "@holdpoint/agents/internal"
import type { LazyHoldpoint } from "@holdpoint/server"
import type { Call, ExitCode } from "../command.ts"
import { withLocal } from "../serve/local.ts"
import { toLocalPlan, toOptions } from "../serve/local-options.ts"
import { stopped } from "../stop-signal.ts"
import { version } from "../version.ts"
import { createAcpApp } from "./app.ts"
import { type Plan, readPlan } from "./plan.ts"
import { redirectConsole } from "./protocol-output.ts"

export async function runAcp(call: Call): Promise<ExitCode> {
  const restoreConsole = redirectConsole(call.io)
  try {
    return await serveEditor(call)
  } finally {
    restoreConsole()
  }
}

async function serveEditor(call: Call): Promise<ExitCode> {
  const { io, out } = call
  const plan = await readPlan(call)
  if (io.stdin.isTTY === true)
    out.note("An editor starts this command. `holdpoint acp --help` explains how to set that up.")
  await withLocal(call, toLocalPlan(plan, portInUseHint), async ({ compose }) => {
    const holdpoint = await compose(toOptions(plan))
    const runs = openOnce(holdpoint, plan)
    const connection = connect(call, plan, { ...holdpoint, openRuns: runs.open })
    // Opened before a session needs the runs, so that replies of an earlier process go on.
    runs.open().catch((error: unknown) => holdpoint.report("opening the agents", error))
    try {
      await Promise.race([connection.closed, stopped(io.signal)])
      const { reason } = connection.signal
      if (reason instanceof MessageTooLargeError) out.note(`holdpoint: ${tooLarge(reason)}`)
    } finally {
      connection.close()
      await runs.close()
    }
  })
  return 0
}

const tooLarge = ({ maxMessageBytes }: MessageTooLargeError): string =>
  `The editor sent a message of more than ${maxMessageBytes / 1_048_576} MiB, which ends the connection.`

const portInUseHint = "Close the other one, or let `holdpoint serve` run the agents for all of them."

type HoldpointWithRuns = LazyHoldpoint & { readonly openRuns: () => Promise<OpenRuns> }

function connect({ io, out }: Call, { config, agent, settings }: Plan, holdpoint: HoldpointWithRuns): AgentConnection {
  const { hub, addresses, runtime, report, openRuns: open } = holdpoint
  const { tenant, subject } = settings.me
  const app = createAcpApp({
    ...{ hub, addresses, runtime, report, open, agent },
    folder: io.cwd,
    title: config.agents[agent]?.title ?? agent,
    person: { tenant, issuer: "local", subject },
    note: (text) => out.note(text),
  })
  const output = Writable.toWeb(io.stdout as Writable) as WritableStream<Uint8Array>
  const input = Readable.toWeb(io.stdin as Readable) as ReadableStream<Uint8Array>
  return app.connect(ndJsonStream(output, input))
}

/** Opens the runs at most once. Not opened before the connection: an editor waits for the response to `initialize`. */
function openOnce(holdpoint: LazyHoldpoint, { config }: Plan) {
  let opening: Promise<OpenRuns> | undefined
  const open = async (): Promise<OpenRuns> => {
    const [{ openRuns }, { a2a }, site] = await Promise.all([
      import("@holdpoint/agents/internal"),
      import("@holdpoint/a2a/agents"),
      holdpoint.open(),
    ])
    return openRuns(site, config, [a2a({ version: version() })])
  }
  return {
    open: () => (opening ??= open()),
    async close(): Promise<void> {
      const openedRuns = await opening?.catch(() => undefined)
      // Running replies go on until they end or wait for the person.
      await openedRuns?.leaveRuns()
      await openedRuns?.close()
    },
  }
}
