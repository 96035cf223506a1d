/** Keeps what a client sent from filling the message that refuses it. */

/** Characters of a client's text that a message shows. */
export const MOST_SHOWN = 80

/** The text, or its beginning and dots. */
export function shorten(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}...`
}
