// The API keys of the company in this environment: what each may do, and when it was last used.
import { Button } from '@mantine/core'
import type { ApiKey, CreatedApiKey } from '@cardstock/sdk'
import { type ReactNode, useMemo, useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { CreateKey } from '~/features/keys/create-key.tsx'
import { CreatedKey, KeysTable } from '~/features/keys/keys-table.tsx'
import type { KeySource } from '~/features/keys/source.ts'
import { useSearch } from '~/lib/use-search.ts'
import { ExportCsv } from '~/ui/export-csv.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Paging } from '~/ui/list-page.tsx'
import { Empty } from '~/ui/notice.tsx'
import { PageHeading, Panel } from '~/ui/page.tsx'
import { DeveloperLinks } from '~/pages/developers/links.tsx'

const ROWS_PER_BATCH = 50

function SaveKeys() {
  return (
    <ExportCsv title="API keys" read={(client, filter, options) => client.keys.list(filter, options)} filter={{}} />
  )
}

export default function Keys() {
  const { client, environment, may } = useWorkplace()
  const { cursor } = useSearch()
  const source = useMemo(
    (): KeySource => ({
      name: 'own',
      mayGive: may,
      list: (query, options) => client.keys.list(query, options),
      create: ({ environment: _environment, ...key }) => client.keys.create(key),
      rotate: (keyId, rotation) => client.keys.rotate(keyId, rotation),
      revoke: (keyId) => client.keys.revoke(keyId),
    }),
    [client, may],
  )
  const query = useData(
    'keys',
    [source.name, cursor],
    (_client, options) => source.list({ cursor, limit: ROWS_PER_BATCH }, options),
    { keepsFormer: true },
  )
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<CreatedApiKey>()
  const mayChange = may('keys:write')
  const create = mayChange ? (
    <Button key="create" onClick={() => setCreating(true)}>
      Create key
    </Button>
  ) : null
  return (
    <>
      <PageHeading title="API keys" actions={[<SaveKeys key="save" />, create]}>
        Keys for {environment === 'live' ? 'live' : 'the sandbox'}. <DeveloperLinks guide="authentication" />
      </PageHeading>
      <Loaded query={query}>
        {({ data, nextCursor }) => (
          <>
            <Panel isFlush>
              <Shown source={source} keys={data} mayChange={mayChange} create={create} />
            </Panel>
            <Paging nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
      {isCreating ? (
        <CreateKey
          source={source}
          environment={environment}
          close={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false)
            setCreated(key)
          }}
        />
      ) : null}
      {created === undefined ? null : <CreatedKey created={created} close={() => setCreated(undefined)} />}
    </>
  )
}

interface ShownProps {
  readonly source: KeySource
  readonly keys: readonly ApiKey[]
  readonly mayChange: boolean
  readonly create: ReactNode
}

function Shown({ source, keys, mayChange, create }: ShownProps) {
  if (keys.length > 0) return <KeysTable source={source} keys={keys} mayChange={mayChange} />
  return (
    <Empty icon="key" title="No keys yet" action={create}>
      Your programs call the API with a key. Give each program its own key, with only the permissions it needs.
    </Empty>
  )
}
