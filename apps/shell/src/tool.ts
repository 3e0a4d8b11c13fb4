// A script as an MCP tool: its metadata and its path. Plain data, which the catalogue creates.

/** One script that clients may call. */
export interface ShellTool {
  /** The name for clients: letters, digits, `_` and `-`, at most 64. */
  readonly name: string
  readonly title?: string
  readonly description: string
  /** JSON Schema of the arguments, of type object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly outputSchema?: Readonly<Record<string, unknown>>
  readonly annotations?: Readonly<Record<string, unknown>>
  readonly icons?: readonly Readonly<Record<string, unknown>>[]
  /** The `_meta` of the tool. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** The absolute real path of the executable. */
  readonly program: string
  /** The absolute folder of this tool. */
  readonly folder: string
  /** The absolute folder that has all tools. */
  readonly root: string
  /** How long the script may run. The time while a person has an open question does not count. */
  readonly timeoutMs?: number
  /** Whether each progress message restarts the script's time limit. */
  readonly progressExtendsTimeout: boolean
  /** The limit that progress cannot extend. */
  readonly maxTimeoutMs?: number
  /** Advice for the message of a script that ran out of time. */
  readonly timeoutHint?: string
  /** How long a person has to answer, unless the script says otherwise. */
  readonly askWithinMs?: number
  /** Whether the script may run again from its beginning, with the recorded answers, when its process is lost. */
  readonly replayable: boolean
  /** The media type of the bytes that the script prints. Undefined for a script that prints text. */
  readonly outputType?: string
  /** The metadata as JSON text, for the script. */
  readonly metadata: string
}

/** The tools of one folder, kept current while it changes. */
export interface Catalogue {
  tools(): readonly ShellTool[]
  /**
   * Reads the tool with this name from its files, even if they changed a moment ago. Undefined when the tool does not
   * exist or is left out. Calls use this function, never an entry of an earlier list.
   */
  find(name: string): ShellTool | undefined
  /** The tools that are left out, and why. */
  problems(): readonly ToolProblem[]
  /** Calls back when the list of tools has changed. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void
  close(): void
}

/** Why a tool is left out. */
export interface ToolProblem {
  /** The file or folder concerned, relative to the folder of the tools. */
  readonly path: string
  readonly message: string
  readonly suggestion?: string
}
