// Where to read more: the guide of the page and the reference.
import { outside } from '~/paths.ts'

export function DeveloperLinks({ guide }: { guide: 'webhooks' | 'authentication' | 'errors' }) {
  return (
    <>
      <a href={`${outside.reference}/${guide}`}>Guide</a> · <a href={`${outside.reference}/api`}>API reference</a>
    </>
  )
}
