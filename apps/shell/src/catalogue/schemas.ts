// Whether the schemas of tools are valid. Compiling them takes time, so only `holdpoint shell validate` does it.

import { schemaError } from "../result/schema.ts"
import type { ShellTool, ToolProblem } from "../tool.ts"

/** The problems of the tools' own schemas, found by compiling each schema. */
export function schemaProblems(tools: readonly ShellTool[]): readonly ToolProblem[] {
  return tools.flatMap(({ root, program, inputSchema, outputSchema }) => {
    const path = program.slice(root.length + 1)
    const schemas = { inputSchema, ...(outputSchema === undefined ? {} : { outputSchema }) }
    return Object.entries(schemas).flatMap(([name, schema]) => {
      const problem = schemaError(schema)
      return problem === undefined ? [] : [{ path: `${path}: ${name}`, message: `is not a JSON Schema: ${problem}.` }]
    })
  })
}
