// Models behind an OpenAI-compatible API: hosted models with an API key, and local models such as Ollama without a key.

import type { LanguageModelV4 } from "@ai-sdk/provider"

export interface OpenAiCompatibleOptions {
  /** The address before `/chat/completions`, for example `http://127.0.0.1:11434/v1`. */
  readonly url: string
  readonly model: string
  /** The API key. Read it from the environment instead of writing it into the file. */
  readonly apiKey?: string
  /** The name of the service, for error reports. */
  readonly name?: string
}

/** Creates a model behind an OpenAI-compatible API. The provider's package is loaded on first use. */
export function openAiCompatible({
  url,
  model,
  apiKey,
  name = "openai-compatible",
}: OpenAiCompatibleOptions): LanguageModelV4 {
  let loading: Promise<LanguageModelV4> | undefined
  const load = async (): Promise<LanguageModelV4> => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
    return createOpenAICompatible({ name, baseURL: url, ...(apiKey === undefined ? {} : { apiKey }) })(model)
  }
  const loaded = (): Promise<LanguageModelV4> => (loading ??= load())
  return {
    specificationVersion: "v4",
    provider: name,
    modelId: model,
    supportedUrls: {},
    doGenerate: async (options) => (await loaded()).doGenerate(options),
    doStream: async (options) => (await loaded()).doStream(options),
  }
}
