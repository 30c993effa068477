// Changes what a product is called and how it is described. Its prices have a form of their own.
import { Button } from '@mantine/core'
import type { CatalogProduct } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { TextAreaField, TextField } from '~/ui/fields.tsx'
import { FormDialog } from '~/ui/form-dialog.tsx'
import { toast } from '~/ui/toast.ts'

const NAME_LENGTH_MAX = 100
const DESCRIPTION_LENGTH_MAX = 500

export function EditProduct({ product }: { product: CatalogProduct }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Edit product
      </Button>
      {isOpen ? <EditForm product={product} close={() => setOpen(false)} /> : null}
    </>
  )
}

function EditForm({ product, close }: { product: CatalogProduct; close: () => void }) {
  const [name, setName] = useState(product.name)
  const [description, setDescription] = useState(product.description)
  const save = useAction(
    () => api.admin.products.update(product.id, { name: name.trim(), description: description.trim() }),
    {
      refreshes: ['catalogue', 'products', 'audit-log'],
      onDone: () => {
        toast('Product saved.')
        close()
      },
    },
  )
  return (
    <FormDialog
      title={`Edit ${product.name}`}
      action="Save product"
      isReady={name.trim() !== '' && description.trim() !== ''}
      isBusy={save.isBusy}
      error={save.error}
      submit={() => void save.run()}
      close={close}
    >
      <TextField
        param="name"
        label="Name"
        required
        maxLength={NAME_LENGTH_MAX}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextAreaField
        param="description"
        label="Description"
        required
        rows={3}
        maxLength={DESCRIPTION_LENGTH_MAX}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
