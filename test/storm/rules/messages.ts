// Messages about questions in mailboxes and in Slack: each that was sent is withdrawn once its question has ended.

import type { Rule } from "../facts.ts"

export const messages: Rule = ({ messages: sent }) =>
  sent.flatMap(({ outlet, about, isWithdrawn, isOwed }) =>
    isWithdrawn || isOwed ? [] : [{ rule: "message never withdrawn", ids: [about], words: `in ${outlet}` }],
  )
