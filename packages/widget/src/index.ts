// The public entry `@holdpoint/widget`: importing it defines the elements.

import { chatKind } from "./chat.ts"
import { defineElement } from "./element.ts"

defineElement(chatKind)

export type { WidgetTexts } from "./texts/en.ts"
