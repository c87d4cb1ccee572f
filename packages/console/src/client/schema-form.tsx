import Form from '@rjsf/core';
import type { IconButtonProps, MultiSchemaFieldTemplateProps, RJSFSchema } from '@rjsf/utils';
import { ArrowDown, ArrowUp, Copy, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useMemo } from 'react';
import { Button } from '../ui/button.js';
import { withNamedChoices } from './named-choices.js';
import { schemaValidator } from './schema-validator.js';

/** The choice between the shapes that a value may have. */
const Union = ({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) => (
  <div>
    <label className="union">
      <span className="quiet">Kind of value</span>
      {selector}
    </label>
    {optionSchemaField}
  </div>
);

const iconButton =
  (label: string, icon: ReactNode, text?: string) =>
  ({ onClick, disabled, id }: IconButtonProps) => (
    <Button
      {...(id === undefined ? {} : { id })}
      icon={icon}
      aria-label={label}
      title={label}
      disabled={disabled === true}
      onClick={onClick}
    >
      {text}
    </Button>
  );

const templates = {
  MultiSchemaFieldTemplate: Union,
  ButtonTemplates: {
    AddButton: iconButton('Add', <Plus size={14} />, 'Add'),
    RemoveButton: iconButton('Remove', <Trash2 size={14} />),
    MoveUpButton: iconButton('Move up', <ArrowUp size={14} />),
    MoveDownButton: iconButton('Move down', <ArrowDown size={14} />),
    CopyButton: iconButton('Copy', <Copy size={14} />),
    ClearButton: iconButton('Clear', <Trash2 size={14} />),
    SubmitButton: () => null,
  },
};

interface SchemaFormProps {
  readonly id: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
  readonly onSubmit: () => void;
  /** Called when the form can be filled in. */
  readonly onReady: () => void;
}

/** A form made from the JSON Schema of a tool. */
const SchemaForm = ({ id, schema, value, onChange, onSubmit, onReady }: SchemaFormProps) => {
  // Its parent waits for this once.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(onReady, []);
  const shown = useMemo(() => ({ ...(withNamedChoices(schema) as RJSFSchema), title: '' }), [schema]);
  return (
    <Form
      id={id}
      className="schema-form"
      schema={shown}
      validator={schemaValidator}
      formData={value}
      templates={templates}
      uiSchema={{ 'ui:options': { label: false } }}
      noHtml5Validate
      showErrorList={false}
      onChange={({ formData }) => onChange((formData ?? {}) as Readonly<Record<string, unknown>>)}
      onSubmit={onSubmit}
    />
  );
};

// Loaded only when a tool is tried.
// oxlint-disable-next-line import/no-default-export
export default SchemaForm;
