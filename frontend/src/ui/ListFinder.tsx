import { SearchOutlined } from '@ant-design/icons';
import { Input, Select } from 'antd';
import type { ListOrder } from './list.finder';
import styles from './list-finder.module.css';

export interface ListSearch {
  text: string;
  order: ListOrder;
}

interface ListFinderProps {
  /** Names the list for the search field, such as `projects`. */
  what: string;
  search: ListSearch;
  orders: readonly ListOrder[];
  onChange: (search: ListSearch) => void;
}

const orderLabels: Record<ListOrder, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'Name',
  used: 'Last used',
};

/** Search and sort controls for a long list. */
export function ListFinder({ what, search, orders, onChange }: ListFinderProps) {
  return (
    <div className={styles.root} role="search" aria-label={`Find ${what}`}>
      <Input
        className={styles.text}
        type="search"
        aria-label={`Search ${what}`}
        placeholder={`Search ${what}`}
        prefix={<SearchOutlined aria-hidden />}
        autoComplete="off"
        value={search.text}
        onChange={({ target }) => onChange({ ...search, text: target.value })}
      />
      <Select
        className={styles.order}
        aria-label={`Sort ${what}`}
        value={search.order}
        options={orders.map((value) => ({ value, label: orderLabels[value] }))}
        onChange={(order) => onChange({ ...search, order })}
      />
    </div>
  );
}
