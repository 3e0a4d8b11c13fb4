// Questions as the pages show them: the parts that all share, and two that are answered with yes or no.

import { choice, email, form, text } from "@holdpoint/hub"
import type { QuestionOf } from "@holdpoint/server/internal"

const minute = 60_000

export function askedAt(now: number) {
  const question = (id: string, message: string, rest: object): QuestionOf =>
    ({
      id,
      message,
      requester: { id: "travel", name: "Travel desk" },
      client: { name: "Relay Chat", version: "1.4" },
      createdAt: now - 3 * minute,
      expiresAt: now + 27 * minute,
      status: "pending",
      ...rest,
    }) as QuestionOf

  const approval = question("91bc", "Delete 214 files in “Archive 2019”?\nThey have not been opened for four years.", {
    mode: "form",
    requester: { id: "janitor", name: "Storage janitor" },
    requestedSchema: form({ sure: choice({ yes: "Delete them", no: "Keep them" }, { title: "Decision" }) }),
  })

  const editable = question("c2ef", "Assistant wants to send a message with these arguments.", {
    mode: "form",
    requester: { id: "assistant", name: "Assistant" },
    requestedSchema: form(
      {
        confirmed: choice({ yes: "Send message", no: "Do not send it" }, { title: "Your answer" }),
        to: email({ title: "To", default: "bob@example.com" }),
        arguments: text({
          title: "Arguments",
          description: "JSON. Change them if the call should differ.",
          default: '{\n  "text": "See you at eight."\n}',
        }),
      },
      { optional: ["arguments"] },
    ),
  })

  return { question, approval, editable }
}
