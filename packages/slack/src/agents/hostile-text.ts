// Makes the text of models and tools harmless for Slack: it cannot mention a person, a group or a channel. Pure.

/*
 * Slack's escapes (&lt; for <) work in its own markup. Replies are Markdown, where an escape inside of code would be
 * visible. So an invisible character breaks each mention, and the text looks the same. The invisible character comes
 * after the character that begins a mention, so that appended text never changes what was already sent.
 */

/** U+2060, WORD JOINER: invisible, and does not allow a line break. */
const joiner = "\u2060"

/** Mentions in markup: <!here>, <!channel>, <!everyone>, <!subteam^S1>, <@U1>, <#C1>; also with < as an entity. */
const markup = /(?:<|&lt;|&#0*60;|&#x0*3c;)(?=[!@#])/gi

/** Mentions in plain text: @here, @channel and @everyone. E-mail addresses do not match. */
const plain = /(?<![\w.+-])@(?=[ceh])/gi

export const toHarmless = (text: string): string => text.replace(markup, `$&${joiner}`).replace(plain, `$&${joiner}`)
