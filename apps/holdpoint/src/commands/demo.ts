// `holdpoint demo`: everything embedded in one process, with one address to start from. `npm start` runs it.

import { basename, join } from "node:path"
import type { Call, Command } from "../command.ts"
import type { DemoModel } from "../demo/model.ts"
import type { Demo } from "../demo/start.ts"
import { bold, dim } from "../output.ts"
import { startOnPort } from "../serve/ports.ts"
import { openInBrowser } from "../show-address.ts"
import { stopped } from "../stop-signal.ts"
import { wrongUse } from "../wrong-use.ts"

export const demo: Command = {
  name: "demo",
  summary: "Start everything in one process: a chat that asks, a Nextcloud to try it with, sign-in and pages.",
  usage: "[flags]",
  words: { least: 0, most: 0 },
  usesDatabase: false,
  flags: {
    port: { value: "NUMBER", help: "the port to listen on (default 4650, or the next free one)" },
    reset: { help: "start fresh: delete what earlier runs stored" },
    "no-open": { help: "do not open the browser; it is opened only from a terminal on a desktop" },
    scripted: { help: "let the scripted model answer, even if the environment names a real one" },
  },
  notes: [
    "The people are alice and bob; one button signs you in. In the Nextcloud their passwords are alice-Pass-2026",
    "and bob-Pass-2026.",
    "With OPENAI_API_KEY a real model answers; OPENAI_BASE_URL and OPENAI_MODEL choose which. For a local model, set",
    "HOLDPOINT_MODEL_URL and OPENAI_MODEL, for example to http://127.0.0.1:11434/v1 and llama3.2.",
    "Everything is stored in .holdpoint/demo in this folder; --reset starts fresh. Ctrl-C ends it.",
  ],
  async run(call) {
    const model = await modelFor(call)
    const started = await startHere(call, model)
    try {
      printAddresses(call, started, model)
      await openPage(call, started)
      await stopped(call.io.signal)
      call.out.note("Ending …")
    } finally {
      await started.close()
    }
    return 0
  },
}

/** npm consumes the flag of `npm start --reset` and passes it on in the environment. */
const isReset = ({ args, io }: Call): boolean => args.has("reset") || io.env.npm_config_reset === "true"

/** Whether the browser is opened at the start. npm turns `npm start --no-open` into an empty `npm_config_open`. */
const isOpened = ({ args, io }: Call): boolean =>
  io.stdout.isTTY === true &&
  !args.has("no-open") &&
  !args.has("json") &&
  io.env.npm_config_open !== "" &&
  io.env.HOLDPOINT_OPEN_BROWSER !== "false"

async function openPage(call: Call, { server }: Demo): Promise<void> {
  if (!isOpened(call)) return
  const isShown = await openInBrowser({ env: call.io.env, platform: process.platform }, server.publicUrl)
  if (isShown) call.out.say("The page was opened in your browser; --no-open prevents that.")
}

async function modelFor({ args, io }: Call): Promise<DemoModel> {
  const { modelOf } = await import("../demo/model.ts")
  return modelOf(args.has("scripted") ? {} : io.env)
}

/** Starts the demo on the next free port. While another demo uses the folder, this one uses another folder. */
async function startHere(call: Call, model: DemoModel): Promise<Demo> {
  const { lockFolder, resetFolder } = await import("../demo/folder.ts")
  const { path, release } = lockFolder(join(call.io.cwd, ".holdpoint", "demo"))
  try {
    const folderName = basename(path)
    if (folderName !== "demo")
      call.out.note(`Another demo is using .holdpoint/demo, so this one uses .holdpoint/${folderName}.`)
    if (isReset(call)) resetFolder(path)
    const demo = await startIn(call, path, model)
    return { ...demo, close: () => demo.close().finally(release) }
  } catch (error) {
    release()
    throw error
  }
}

async function startIn(call: Call, folder: string, model: DemoModel): Promise<Demo> {
  const { startDemo } = await import("../demo/start.ts")
  const report = (activity: string, error: unknown): void =>
    call.out.note(`holdpoint: ${activity} failed: ${error instanceof Error ? error.message : String(error)}`)
  const wantedPort = { host: "127.0.0.1", port: portOf(call), isNamed: call.args.has("port") }
  return startOnPort(wantedPort, call.out.note, (port) =>
    startDemo({ folder, host: wantedPort.host, port, runtime: call.io.runtime, report, model }),
  )
}

const lastPort = 65_535

function portOf({ args }: Call): number {
  const text = args.one("port") ?? "4650"
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= lastPort) return port
  throw wrongUse(`“${text}” is not a port number.`, "Write a number up to 65535; 0 picks a free port.")
}

function printAddresses({ out, args }: Call, { server, standIn, mcpUrl }: Demo, { label }: DemoModel): void {
  const { publicUrl } = server
  if (args.has("json")) return void out.json({ url: publicUrl, mcp: mcpUrl, nextcloud: standIn.url })
  out.say(bold(`Open ${publicUrl}`), " (Ctrl-C ends it)")
  out.say("")
  out.say(dim("  chat        "), "press “List my notes” there, and see a program stop and ask you")
  out.say(dim("  model       "), label === undefined ? "a script, not a real one" : `${label.name} at ${label.host}`)
  out.say(dim("  MCP server  "), mcpUrl, dim("  try it at /try"))
  out.say(dim("  Nextcloud   "), standIn.url, dim("  a stand-in, with some notes, files, events and contacts"))
  out.say(dim("  people      "), "alice and bob, without a password", dim("  (in the Nextcloud: alice-Pass-2026)"))
  out.say("")
  out.say("In Claude Code:  ", `claude mcp add --transport http nextcloud ${mcpUrl}`)
}
