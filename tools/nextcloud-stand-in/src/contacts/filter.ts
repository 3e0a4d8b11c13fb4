// The filter of an addressbook-query (RFC 6352 §10.5): properties, parameters and text, any or all of them.

import { carddav, childOf, childrenOf, type Element } from "../xml.ts"
import { type Card, parseCard } from "./card.ts"

/** Whether this card matches. Without a filter every card does. */
export function matchesFilter(text: string, filter: Element | undefined): boolean {
  const propertyFilters = childrenOf(filter, carddav, "prop-filter")
  if (filter === undefined || propertyFilters.length === 0) return true
  const card = parseCard(text)
  return holds(filter, propertyFilters, (inner) => propertyMatches(card, inner))
}

/** Whether any condition matches; if the element has `test="allof"`, whether all match. */
function holds(element: Element, conditions: readonly Element[], matches: (condition: Element) => boolean): boolean {
  return element.attributes.test === "allof" ? conditions.every(matches) : conditions.some(matches)
}

function propertyMatches(card: Card, filter: Element): boolean {
  const properties = card.getAllProperties(filter.attributes.name?.toLowerCase() ?? "")
  if (childOf(filter, carddav, "is-not-defined") !== undefined) return properties.length === 0
  const conditions = filter.children.filter(({ name }) => name === "text-match" || name === "param-filter")
  if (conditions.length === 0) return properties.length > 0
  return properties.some((property) =>
    holds(filter, conditions, (condition) =>
      condition.name === "text-match"
        ? textMatches(property.getValues().flat().map(String).join(";"), condition)
        : parameterMatches(property, condition),
    ),
  )
}

function parameterMatches(property: ReturnType<Card["getAllProperties"]>[number], filter: Element): boolean {
  const value = property.getParameter(filter.attributes.name?.toLowerCase() ?? "") as string | string[] | undefined
  if (childOf(filter, carddav, "is-not-defined") !== undefined) return value === undefined
  const text = childOf(filter, carddav, "text-match")
  return value !== undefined && (text === undefined || [value].flat().some((one) => textMatches(one, text)))
}

function textMatches(value: string, match: Element): boolean {
  const isExact = match.attributes.collation === "i;octet"
  const [searchedText, searchTerm] = isExact ? [value, match.text] : [value.toLowerCase(), match.text.toLowerCase()]
  return (
    compare(searchedText, searchTerm, match.attributes["match-type"]) !==
    (match.attributes["negate-condition"] === "yes")
  )
}

function compare(searchedText: string, searchTerm: string, type: string | undefined): boolean {
  switch (type) {
    case "equals":
      return searchedText === searchTerm
    case "starts-with":
      return searchedText.startsWith(searchTerm)
    case "ends-with":
      return searchedText.endsWith(searchTerm)
    default:
      return searchedText.includes(searchTerm)
  }
}
