// A model that follows a script, for tests and demonstrations. Its id states that it is not a real model.

import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider"

/** The next step of a scripted model: text, reasoning and tool calls. */
export interface ScriptedStep {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly { readonly tool: string; readonly input: unknown; readonly id?: string }[]
}

/** The input of a script: the person's last message, and the results of the tool calls since then. */
export interface ScriptedTurn {
  readonly message: string
  /** The number of steps before this one in the reply. */
  readonly step: number
  readonly results: readonly { readonly tool: string; readonly output: unknown }[]
  /** The names of the tools that the model may call. */
  readonly tools: readonly string[]
  readonly prompt: LanguageModelV4Prompt
}

export interface ScriptedOptions {
  /** The number of words per second in the stream. Default: without delay. */
  readonly wordsPerSecond?: number
}

/** Creates a model that follows a script. It is not intelligent: use it for tests and demonstrations. */
export function scriptedModel(
  script: (scriptInput: ScriptedTurn) => ScriptedStep | Promise<ScriptedStep>,
  { wordsPerSecond }: ScriptedOptions = {},
): LanguageModelV4 {
  const stream = async function* (options: LanguageModelV4CallOptions): AsyncGenerator<LanguageModelV4StreamPart> {
    const scriptInput = toTurn(options)
    const { text, reasoning, calls = [] } = await script(scriptInput)
    yield { type: "stream-start", warnings: [] }
    if (reasoning !== undefined) yield* streamWords("reasoning", reasoning, wordsPerSecond)
    if (text !== undefined) yield* streamWords("text", text, wordsPerSecond)
    for (const [index, { tool, input, id = `call-${scriptInput.step}-${index}` }] of calls.entries()) {
      const json = typeof input === "string" ? input : JSON.stringify(input)
      yield { type: "tool-input-start", id, toolName: tool }
      yield { type: "tool-input-delta", id, delta: json }
      yield { type: "tool-input-end", id }
      yield { type: "tool-call", toolCallId: id, toolName: tool, input: json }
    }
    yield {
      type: "finish",
      finishReason: { unified: calls.length === 0 ? "stop" : "tool-calls", raw: undefined },
      usage: noUsage,
    }
  }
  return {
    specificationVersion: "v4",
    provider: "holdpoint.scripted",
    modelId: "scripted (not a real model)",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("A scripted model only streams.")),
    doStream: async (options) => ({ stream: ReadableStream.from(stream(options)) }),
  }
}

const noUsage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

async function* streamWords(
  kind: "text" | "reasoning",
  words: string,
  perSecond: number | undefined,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const id = kind
  yield { type: `${kind}-start`, id }
  for (const delta of words.match(/\S+\s*|\s+/g) ?? []) {
    if (perSecond !== undefined) await new Promise((resolve) => setTimeout(resolve, 1_000 / perSecond))
    yield { type: `${kind}-delta`, id, delta }
  }
  yield { type: `${kind}-end`, id }
}

function toTurn({ prompt, tools = [] }: LanguageModelV4CallOptions): ScriptedTurn {
  const lastMessage = prompt.findLastIndex(({ role }) => role === "user")
  const since = prompt.slice(lastMessage + 1)
  return {
    message: textOf(prompt[lastMessage]),
    step: since.filter(({ role }) => role === "assistant").length,
    results: since.flatMap((message) => (message.role === "tool" ? message.content.flatMap(toResult) : [])),
    tools: tools.map(({ name }) => name),
    prompt,
  }
}

function textOf(message: LanguageModelV4Prompt[number] | undefined): string {
  if (message === undefined) return ""
  if (typeof message.content === "string") return message.content
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("")
}

function toResult(part: Extract<LanguageModelV4Prompt[number], { role: "tool" }>["content"][number]) {
  if (part.type !== "tool-result") return []
  const { output } = part
  if (output.type === "execution-denied") return [{ tool: part.toolName, output: output.reason ?? output.type }]
  return [{ tool: part.toolName, output: output.value }]
}
