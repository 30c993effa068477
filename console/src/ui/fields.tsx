// The fields of a form that show what the server refused about them. `param` is the name of the field in the API.
import {
  NativeSelect,
  type NativeSelectProps,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { useRefused } from './refusal.tsx'

type Field<Props> = Omit<Props, 'label'> & { readonly param: string; readonly label: string }

export function TextField({ param, ...props }: Field<TextInputProps>) {
  return <TextInput {...props} {...useRefused(param, props)} />
}

export function TextAreaField({ param, ...props }: Field<TextareaProps>) {
  return <Textarea {...props} {...useRefused(param, props)} />
}

export function SelectField({ param, ...props }: Field<NativeSelectProps>) {
  return <NativeSelect {...props} {...useRefused(param, props)} />
}
