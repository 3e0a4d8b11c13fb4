// A tool as the list of tools has it. A client refuses the whole list when one of its tools is malformed, so that each is
// checked by the schema of the MCP SDK before.

import { specTypeSchemas } from "@modelcontextprotocol/server"
import type { ShellTool } from "../tool.ts"
import type { Distrust } from "./trust.ts"

/** The tool as clients see it. */
export const toListed = ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
  icons,
  meta,
}: ShellTool) => ({
  ...{ name, description, inputSchema },
  ...(title === undefined ? {} : { title }),
  ...(outputSchema === undefined ? {} : { outputSchema }),
  ...(annotations === undefined ? {} : { annotations }),
  ...(icons === undefined ? {} : { icons }),
  ...(meta === undefined ? {} : { _meta: meta }),
})

/** Why clients would refuse it. */
export function clientProblem(tool: ShellTool): Distrust | undefined {
  const checked = specTypeSchemas.Tool["~standard"].validate(toListed(tool))
  if (!("issues" in checked) || checked.issues === undefined) return undefined
  const [issue] = checked.issues
  const where = issue?.path?.map((part) => (typeof part === "object" ? part.key : part)).join(".") ?? ""
  return { message: `would be refused by clients: ${where}: ${issue?.message ?? "it is not a tool"}.` }
}
