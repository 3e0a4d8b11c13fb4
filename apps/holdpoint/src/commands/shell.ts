// `holdpoint shell DIR`: the scripts of a folder as MCP tools that can ask, on stdio or over HTTP.

import type { Flags } from "../arguments.ts"
import type { Command } from "../command.ts"

/** The flags that say how scripts run, also for `holdpoint shell run`. */
export const scriptFlags: Flags = {
  "pass-env": { value: "NAME", help: "an environment variable to pass to scripts; may be repeated", repeats: true },
  timeout: {
    value: "TIME",
    help: "how long a script may run, not counting the time people take: 30s, 5m (default 10m)",
  },
  "ask-within": { value: "TIME", help: "how long a person has to answer (default 5m)" },
  database: { value: "PATH|URL", help: "where calls and accounts are kept (default in your home folder)" },
  "key-file": { value: "FILE", help: "the keys (default holdpoint.keys beside the database)" },
  config: { value: "FILE", help: "settings (default holdpoint.config.ts, .js or .mjs in this folder)" },
}

export const shell: Command = {
  name: "shell",
  summary: "Serve the scripts of a folder as MCP tools; a script asks a person with one line.",
  usage: "[init | validate | run] [DIR] [flags]",
  words: { least: 0, most: 1 },
  usesDatabase: false,
  flags: {
    http: { value: "PORT", help: "serve HTTP on this port instead of stdio" },
    listen: { value: "ADDRESS", help: "the address to listen on (default 127.0.0.1)" },
    "public-url": { value: "URL", help: "the public address, when the server is behind a proxy" },
    "no-pages": { help: "no links to pages: only people whose client shows questions can be asked" },
    concurrency: {
      value: "NUMBER",
      help: "the maximum number of scripts that run or wait at the same time (default 500)",
    },
    ...scriptFlags,
  },
  notes: [
    "DIR has a folder for each tool, with tool.sh or another executable. These folders may be in DIR/tools instead.",
    "The default DIR is this folder.",
    "",
    "On stdio, add the command to your MCP client:  npx holdpoint shell /path/to/tools",
    "",
    "holdpoint shell init [DIR]: make a folder with a tool that asks.",
    "holdpoint shell validate [DIR]: list the tools and their problems.",
    "holdpoint shell run NAME --args '{…}': run one tool here and answer its questions in the terminal.",
  ],
  async run(call) {
    if (!call.args.has("http")) loadAhead()
    const { runShell } = await import("../shell/run-server.ts")
    return runShell(call)
  },
}

/** Starts the imports that stdio needs while the settings are read. Errors are reported by the later import. */
function loadAhead(): void {
  for (const loading of [import("../shell/stdio.ts"), import("@holdpoint/hub/sqlite")]) loading.catch(() => {})
}
