// `holdpoint nextcloud`: the MCP server for a Nextcloud, on stdio or over HTTP; its doctor; and your account page.

import type { Command } from "../command.ts"
import { wrongUse } from "../wrong-use.ts"

export const nextcloud: Command = {
  name: "nextcloud",
  summary: "Serve tools for your Nextcloud to MCP clients; people are asked for consent when a call needs it.",
  usage: "[doctor | account] --host URL [flags]",
  actions: ["doctor", "account"],
  words: { least: 0, most: 1 },
  usesDatabase: false,
  flags: {
    host: { value: "URL", help: "your Nextcloud (or NEXTCLOUD_HOST)" },
    http: { value: "PORT", help: "serve HTTP on this port instead of stdio" },
    tools: { value: "LIST", help: "toolsets, or all (default notes,files,calendar,tasks,contacts,search)" },
    "read-only": { help: "offer only tools that change nothing" },
    database: { value: "PATH|URL", help: "where consents are kept (default in your home folder)" },
    "key-file": { value: "FILE", help: "the keys (default holdpoint.keys beside the database)" },
    "public-url": { value: "URL", help: "the public address, when the server is behind a proxy" },
    listen: { value: "ADDRESS", help: "the address to listen on (default 127.0.0.1)" },
    config: { value: "FILE", help: "settings (default holdpoint.config.ts, .js or .mjs in this folder)" },
  },
  notes: [
    "On stdio, add the command to your MCP client:  npx holdpoint nextcloud --host https://cloud.example.org",
    "The first call that needs your account sends you to a page; you sign in at your own Nextcloud.",
    "With NEXTCLOUD_USERNAME and NEXTCLOUD_PASSWORD (an app password), all calls use one account, without consent.",
    "holdpoint nextcloud doctor --host URL: report what works there, which tools are offered, and what is wrong.",
    "holdpoint nextcloud account --host URL: show the connected account, what you have allowed on this machine, and",
    "  when you are asked to confirm.",
  ],
  async run(call) {
    const [word] = call.args.words
    if (word === "doctor") return (await import("../nextcloud/doctor.ts")).doctor(call)
    if (word === "account") return (await import("../nextcloud/account.ts")).showAccount(call)
    if (word !== undefined)
      throw wrongUse(
        `“holdpoint nextcloud” has no action “${word}”.`,
        "Write: holdpoint nextcloud doctor --host URL, or account.",
      )
    if (!call.args.has("http")) loadAhead()
    const { runNextcloud } = await import("../nextcloud/run.ts")
    return runNextcloud(call)
  },
}

/** Starts the imports that stdio needs while the settings are read. Errors are reported by the later import. */
function loadAhead(): void {
  for (const loading of [import("../nextcloud/stdio.ts"), import("@holdpoint/hub/sqlite")]) loading.catch(() => {})
}
