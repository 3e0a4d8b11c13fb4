// The public entry `@holdpoint/widget`: importing it defines the elements.

import { chatKind } from "./chat.ts"
import { defineElement } from "./element.ts"
import { questionKind } from "./question.ts"
import { timelineKind } from "./timeline.ts"

for (const kind of [chatKind, questionKind, timelineKind]) defineElement(kind)

export type { ChatElement, QuestionElement, TimelineElement, WidgetEvents } from "./elements.ts"
export type { AnswerQuestion } from "./question.ts"
export type { WidgetTexts } from "./texts/en.ts"
