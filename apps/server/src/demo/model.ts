// The model of the demo: a scripted one, or a real one that the environment names. Its key is never shown.

import type { LanguageModelV4 } from "@ai-sdk/provider"
import { openAiCompatible } from "../agents/index.ts"
import { wrongUse } from "../wrong-use.ts"
import { assistantModel, shownPace, travelDeskModel } from "./script.ts"

export interface DemoModel {
  /** The name of a real model and where it is, as people read it. Undefined for the scripted one. */
  readonly shown?: { readonly name: string; readonly at: string }
  readonly assistant: LanguageModelV4
  readonly travelDesk: LanguageModelV4
}

export const scriptedDemo: DemoModel = {
  assistant: assistantModel(shownPace),
  travelDesk: travelDeskModel(shownPace),
}

type Environment = Readonly<Record<string, string | undefined>>

const hosted = "https://api.openai.com/v1"
const defaultModel = "gpt-4.1-mini"

/** HOLDPOINT_MODEL_URL names a local model, OPENAI_API_KEY a hosted one; without either, a script answers. */
export function modelOf(env: Environment): DemoModel {
  const { HOLDPOINT_MODEL_URL: local = "", OPENAI_API_KEY: apiKey = "", OPENAI_BASE_URL: base = "" } = env
  if (local === "" && apiKey === "") return scriptedDemo
  const url = local === "" ? base || hosted : local
  const at = URL.parse(url)
  if (at === null || !/^https?:$/.test(at.protocol))
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
  return { shown: { name, at: at.host }, assistant: model, travelDesk: model }
}
