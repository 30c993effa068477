// Says that a form was sent before, and links to the object that it created.
import { findObjectPath } from '~/paths.ts'
import { Go } from './go.tsx'
import { Notice } from './notice.tsx'

export function SentBefore({ id }: { id: string | undefined }) {
  if (id === undefined) return null
  return (
    <div role="alert">
      <Notice tone="amber" title="Already sent">
        <p>
          Your first request was carried out: <Go href={findObjectPath(id) ?? ''}>{id}</Go>. Send the form again only if
          you want a second one.
        </p>
      </Notice>
    </div>
  )
}
