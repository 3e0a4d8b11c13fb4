// Calls functions of holdpoint-tool.mjs as its arguments say, and prints what they returned, as one line of JSON.

import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"

const plan = JSON.parse(process.env.MCP_TOOL_ARGS_JSON ?? "")
if (plan.blind === true) {
  fs.watch = () => {
    throw new Error("There are no watchers here.")
  }
  syncBuiltinESMExports()
}
const tool = await import(`${process.env.MCP_SDK}/holdpoint-tool.mjs`)

const call = async ({ name, args = [], options, withdrawn }) => {
  const signal = withdrawn === undefined ? {} : { signal: AbortSignal.timeout(withdrawn * 1_000) }
  const last = options === undefined && withdrawn === undefined ? [] : [{ ...options, ...signal }]
  return (await tool[name](...args, ...last)) ?? null
}

const returned = []
if (plan.atOnce === true) returned.push(...(await Promise.all(plan.calls.map(call))))
else for (const one of plan.calls) returned.push(await call(one))
if (plan.silent !== true) console.log(JSON.stringify(returned))
