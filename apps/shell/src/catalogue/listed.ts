// A tool as it appears in the list of tools. A client refuses the whole list when one tool is malformed, so each tool is
// validated with the schema of the MCP SDK first.

import { specTypeSchemas } from "@modelcontextprotocol/server"
import type { ShellTool } from "../tool.ts"
import type { FileProblem } from "./trust.ts"

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

/** Why clients would refuse the tool. Undefined when they accept it. */
export function clientProblem(tool: ShellTool): FileProblem | undefined {
  const validation = specTypeSchemas.Tool["~standard"].validate(toListed(tool))
  if (!("issues" in validation) || validation.issues === undefined) return undefined
  const [issue] = validation.issues
  const location = issue?.path?.map((part) => (typeof part === "object" ? part.key : part)).join(".") ?? ""
  return { message: `would be refused by clients: ${location}: ${issue?.message ?? "it is not a tool"}.` }
}
