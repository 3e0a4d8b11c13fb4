// The tools that `holdpoint conformance` tries first when no tool is named: one asks by link, and one by form.

import { holdable } from "@holdpoint/mcp"
import type { McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"
import { text } from "../samples.ts"

/** Registers both tools. `home` is the address of the pages to which their links lead. */
export function registerLinks(server: McpServer, home: string): void {
  const inputSchema = z.object({ place: z.string().optional() })
  server.registerTool(
    "test_url_elicitation",
    { description: "Asks you to open a page that cannot be finished.", inputSchema },
    holdable(async (_, ask) => {
      await ask.url("page", "Please open this page.", (id) => `${home}/pages/${id}`)
      return text("The page is done.")
    }),
  )
  server.registerTool(
    "test_form_elicitation",
    { description: "Asks for your favourite colour." },
    holdable(async (ask) => {
      const { colour } = await ask.form("colour", "Which colour?", z.object({ colour: z.enum(["red", "green"]) }))
      return text(`You chose ${colour}.`)
    }),
  )
}
