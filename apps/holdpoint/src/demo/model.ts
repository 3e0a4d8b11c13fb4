// The model of the demo: a scripted model, or a real model that environment variables select. Its key is never shown.

import type { LanguageModelV4 } from "@ai-sdk/provider"
import { openAiCompatible } from "../agents.ts"
import { wrongUse } from "../wrong-use.ts"
import { assistantModel, demoPace, travelDeskModel } from "./script.ts"

export interface DemoModel {
  /** The name and the host of a real model, for people. Undefined for the scripted model. */
  readonly label?: { readonly name: string; readonly host: string }
  readonly assistant: LanguageModelV4
  readonly travelDesk: LanguageModelV4
}

export const scriptedDemo: DemoModel = {
  assistant: assistantModel(demoPace),
  travelDesk: travelDeskModel(demoPace),
}

type Environment = Readonly<Record<string, string | undefined>>

const hostedUrl = "https://api.openai.com/v1"
const defaultModel = "gpt-4.1-mini"

/** HOLDPOINT_MODEL_URL selects a local model, and OPENAI_API_KEY a hosted model. Without either, a script answers. */
export function modelOf(env: Environment): DemoModel {
  const { HOLDPOINT_MODEL_URL: local = "", OPENAI_API_KEY: apiKey = "", OPENAI_BASE_URL: base = "" } = env
  if (local === "" && apiKey === "") return scriptedDemo
  const url = local === "" ? base || hostedUrl : local
  const address = URL.parse(url)
  if (address === null || !/^https?:$/.test(address.protocol))
    throw wrongUse(
      `${local === "" ? "OPENAI_BASE_URL" : "HOLDPOINT_MODEL_URL"} is not the address of a model.`,
      "Write one such as http://127.0.0.1:11434/v1, or start with --scripted.",
    )
  const name = env.OPENAI_MODEL || (local === "" ? defaultModel : undefined)
  if (name === undefined)
    throw wrongUse(
      "HOLDPOINT_MODEL_URL says where a model is, but not which one.",
      "Set OPENAI_MODEL to its name, for example llama3.2, or start with --scripted.",
    )
  const model = openAiCompatible({ url, model: name, ...(local === "" ? { apiKey } : {}) })
  return { label: { name, host: address.host }, assistant: model, travelDesk: model }
}
