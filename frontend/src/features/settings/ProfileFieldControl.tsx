import { SearchOutlined } from '@ant-design/icons';
import { countries } from '@orange-id/contract/countries';
import { profileFields, type ProfileField, type ProfileFieldName } from '@orange-id/contract/profile.fields';
import { Flex, Input, Select, Typography } from 'antd';
import { useState, type ComponentProps, type KeyboardEvent, type Ref } from 'react';
import { isComposing } from '@orange-id/contract/typed.key';
import type { Field } from '../../ui/Field';
import styles from './settings.module.css';

/** The methods that the refs of all controls have in common. */
export interface Focusable {
  focus: () => void;
}

interface ProfileFieldControlProps {
  field: ProfileFieldName;
  /** The stored value; it stays available even if the list of countries doesn't contain it. */
  stored: string;
  draft: string;
  isSaving: boolean;
  control: Parameters<ComponentProps<typeof Field>['children']>[0];
  ref: Ref<Focusable>;
  onChange: (text: string) => void;
  onCancel: () => void;
}

/** The control of a profile field: an input, a text area or the list of countries. */
export function ProfileFieldControl({ ref, ...props }: ProfileFieldControlProps) {
  const { field, draft, isSaving, control, onChange, onCancel } = props;
  const { kind, placeholder, autoComplete, prefix }: ProfileField = profileFields[field];
  const onKeyDown = ({ key, nativeEvent }: KeyboardEvent) => {
    if (key === 'Escape' && !isComposing(nativeEvent)) onCancel();
  };
  if (kind === 'country') return <CountrySelect ref={ref} {...props} />;
  const shared = { ...control, placeholder, autoComplete, readOnly: isSaving, value: draft, onKeyDown };
  if (kind === 'multiline')
    return (
      <Input.TextArea
        {...shared}
        ref={ref as Ref<Focusable & never>}
        autoSize={{ minRows: 3, maxRows: 10 }}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  return (
    <Input
      {...shared}
      ref={ref as Ref<Focusable & never>}
      type={kind}
      prefix={prefix && <Typography.Text type="secondary">{prefix}</Typography.Text>}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function CountrySelect(props: ProfileFieldControlProps) {
  const { field, stored, draft, isSaving, control, ref, onChange, onCancel } = props;
  const [isOpen, setOpen] = useState(false);
  const isKnown = (countries as readonly string[]).includes(stored);
  const offered = stored === '' || isKnown ? countries : [stored, ...countries];
  return (
    <Flex vertical className={styles.countryField}>
      <Select
        {...control}
        ref={ref as Ref<Focusable & never>}
        // Rendered beside the field, so that the list is part of the page's content and scrolls with it.
        getPopupContainer={(select) => select.parentElement ?? document.body}
        classNames={{ popup: { root: styles.countryList } }}
        placeholder={profileFields[field].placeholder}
        showSearch={{ searchIcon: <SearchOutlined aria-hidden /> }}
        allowClear
        // Renders all options, because screen readers count them.
        virtual={false}
        disabled={isSaving}
        open={isOpen}
        onOpenChange={setOpen}
        value={draft === '' ? null : draft}
        options={offered.map((country) => ({ value: country, label: country }))}
        onChange={(country: string | null | undefined) => onChange(country ?? '')}
        onKeyDown={({ key, nativeEvent }) => {
          // The first Escape closes the list.
          if (key === 'Escape' && !isOpen && !isComposing(nativeEvent)) onCancel();
        }}
      />
    </Flex>
  );
}
