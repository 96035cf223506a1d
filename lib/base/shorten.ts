/** Shortens a client's text in error messages. */

/** Characters of a client's text that a message shows. */
export const MAX_SHOWN = 80

/** The text, or its beginning and dots. */
export function shorten(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}...`
}
