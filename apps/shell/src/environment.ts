// The environment variables of a script: few of the server's own, and those that the contract with scripts defines.

import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { CallFolder } from "./exchange/call-folder.ts"
import { fileOf } from "./exchange/call-folder.ts"
import type { ShellTool } from "./tool.ts"

/** The facts about a call that its script receives. */
export interface CallFacts {
  readonly arguments: Readonly<Record<string, unknown>>
  /** The `_meta` of the request. */
  readonly meta: Readonly<Record<string, unknown>>
  readonly askModes: AskModes
  readonly roots: readonly Root[]
  /** Empty when the client wants no progress. */
  readonly progressToken: string
  /** The least level of log messages that the client wants. Undefined when it wants none. */
  readonly logLevel: string | undefined
}

export interface AskModes {
  /** Whether forms and links can reach the person, in the client or on a page. */
  readonly form: boolean
  readonly url: boolean
  /** Whether the client itself shows questions during the call. */
  readonly inClient: boolean
}

export interface Root {
  readonly path: string
  readonly name?: string
}

export interface EnvironmentSettings {
  /** The server's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Names of variables that scripts get besides the usual ones. */
  readonly passEnvironment: readonly string[]
}

/** The folder of tool-sdk.sh and of the modules for other languages. */
export const sdkFolder = fileURLToPath(new URL("../sdk", import.meta.url))

/** The folder above the one that has all tools. Scripts are started in it. */
export const projectOf = ({ root }: Pick<ShellTool, "root">): string => dirname(root)

const usualVariables =
  /^(?:PATH|HOME|TMPDIR|LANG|LANGUAGE|LC_\w+|TZ|USER|LOGNAME|SHELL|TERM|MCPBASH_ELICITATION_TIMEOUT)$/

/** Returns the variables of a script, and writes the files that they name: synchronously, because these are small. */
export function createEnvironment(
  tool: ShellTool,
  facts: CallFacts,
  { folder, settings }: { readonly folder: CallFolder; readonly settings: EnvironmentSettings },
): Record<string, string> {
  const { env, passEnvironment } = settings
  const passedVariables = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (usualVariables.test(name) || passEnvironment.includes(name))
      ? [[name, value] as const]
      : [],
  )
  const jsonVariables = [
    jsonPair(folder, "MCP_TOOL_ARGS", JSON.stringify(facts.arguments)),
    jsonPair(folder, "MCP_TOOL_META", JSON.stringify(facts.meta)),
    jsonPair(folder, "MCP_TOOL_METADATA", tool.metadata),
  ]
  return {
    ...Object.fromEntries(passedVariables),
    ...Object.assign({}, ...jsonVariables),
    MCP_SDK: sdkFolder,
    MCP_TOOL_NAME: tool.name,
    MCP_TOOL_PATH: tool.program,
    ...filesOf(folder),
    MCP_PROGRESS_TOKEN: tokenFor(tool, facts),
    MCP_LOG_LEVEL: facts.logLevel ?? "emergency",
    ...rootsOf(facts.roots),
    ...askModeVariables(folder, facts.askModes),
    MCPBASH_PROJECT_ROOT: projectOf(tool),
    // Without this variable, Python writes the compiled module into the SDK's folder.
    PYTHONPYCACHEPREFIX: join(dirname(folder.path), "python"),
    MCPBASH_HOME: dirname(sdkFolder),
  }
}

/** The client's token, or ours: a script whose progress extends its time limit must always report progress. */
const tokenFor = ({ progressExtendsTimeout }: ShellTool, { progressToken }: CallFacts): string =>
  progressToken === "" && progressExtendsTimeout ? "holdpoint" : progressToken

/** The files that a script writes, and the one that tells it of a cancelled call, by the variable that names each. */
export const filesOf = (folder: CallFolder) => ({
  MCP_TOOL_ERROR_FILE: folder.file("error.json"),
  MCP_TOOL_RESOURCES_FILE: folder.file("resources"),
  MCP_PROGRESS_STREAM: folder.file("progress.ndjson"),
  MCP_LOG_STREAM: folder.file("log.ndjson"),
  MCP_CANCEL_FILE: folder.file("cancelled"),
})

/** The system limits the length of one variable, so the script reads a longer text from the file. */
const maxVariableBytes = 64 * 1_024

function jsonPair(folder: CallFolder, name: string, json: string): Record<string, string> {
  const path = folder.file(`${name.toLowerCase().replace("mcp_tool_", "")}.json`)
  writeFileSync(path, json, { mode: 0o600 })
  return { [`${name}_FILE`]: path, ...(Buffer.byteLength(json) > maxVariableBytes ? {} : { [`${name}_JSON`]: json }) }
}

const rootsOf = (roots: readonly Root[]): Record<string, string> => ({
  MCP_ROOTS_JSON: JSON.stringify(roots),
  MCP_ROOTS_PATHS: roots.map(({ path }) => path).join("\n"),
  MCP_ROOTS_COUNT: String(roots.length),
})

function askModeVariables(folder: CallFolder, { form, url, inClient }: AskModes): Record<string, string> {
  const flags = {
    MCP_ELICIT_SUPPORTED: flag(form || url),
    MCP_ELICIT_FORM: flag(form),
    MCP_ELICIT_URL: flag(url),
    MCP_ELICIT_IN_CLIENT: flag(inClient),
  }
  if (!form && !url) return flags
  return {
    ...flags,
    MCP_ELICIT_REQUEST_FILE: fileOf(folder, "", "request"),
    MCP_ELICIT_RESPONSE_FILE: fileOf(folder, "", "response"),
  }
}

const flag = (is: boolean): string => (is ? "1" : "0")
