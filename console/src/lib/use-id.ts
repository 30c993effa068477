// The id in the address of a page, such as that of the card in `/cards/$id`.
import { useParams } from '@tanstack/react-router'

/** Returns the id, or an empty text on a page whose address has none. */
export function useId(): string {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return id
}
