// Text of models and tools, made harmless for Slack: it mentions no person, group or channel. Pure.

/*
 * Slack's escapes (&lt; for <) belong to its own markup. Replies are Markdown, in which an escape inside of code would be
 * shown as it is. So an invisible character breaks what Slack would take for a mention, and everything looks the same.
 * It comes after the character that begins a mention: what was sent stays the same when more text follows.
 */

/** U+2060, WORD JOINER: invisible, and no place to break a line. */
const joiner = "\u2060"

/** <!here>, <!channel>, <!everyone>, <!subteam^S1>, <@U1>, <#C1>; also when < is written as an entity. */
const markup = /(?:<|&lt;|&#0*60;|&#x0*3c;)(?=[!@#])/gi

/** @here, @channel and @everyone as plain text, which are mentions where names are linked. E-mail addresses are not. */
const plain = /(?<![\w.+-])@(?=[ceh])/gi

export const toHarmless = (text: string): string => text.replace(markup, `$&${joiner}`).replace(plain, `$&${joiner}`)
