<?php

/**
 * A stand-in for the functions of WordPress and WooCommerce that the plugin uses. WordPress itself cannot be installed
 * where these tests run. It behaves as the documentation of those functions says, and no further.
 */

declare(strict_types=1);

namespace Automattic\WooCommerce\StoreApi\Exceptions {
    final class RouteException extends \Exception
    {
        public function __construct(public string $error, string $message, public int $status = 400, public array $data = [])
        {
            parent::__construct($message);
        }
    }
}

namespace {
    const ABSPATH = '/';

    /** Where a request has got to when it was answered. */
    final class Answered extends Exception
    {
        public function __construct(public string $to, public int $status)
        {
            parent::__construct("$status $to");
        }
    }

    /** What a test says about the site and the request. */
    final class Site
    {
        /** @var array<string, array<int, list<callable>>> */
        public static array $hooks = [];
        public static array $options = [];
        /** The custom field of each product. */
        public static array $fields = [];
        /** `product`, `checkout`, `order-received`, `order-pay` or another page. */
        public static string $page = 'home';
        public static int $product = 0;
        /** The ids of products. */
        public static array $cart = [];
        public static array $notices = [];
        public static bool $isManager = false;
        public static string $locale = 'en_US';
        public static array $headers = [];
        /** Answers wp_remote_get. */
        public static ?Closure $remote = null;
    }

    final class WC_Product
    {
        public function __construct(private int $id, private int $parent = 0)
        {
        }

        public function get_id(): int
        {
            return $this->id;
        }

        public function get_parent_id(): int
        {
            return $this->parent;
        }
    }

    final class WC_Order
    {
        public function __construct(private array $products)
        {
        }

        public function get_items(): array
        {
            $item = fn (int $id) => new class ($id) {
                public function __construct(private int $id)
                {
                }

                public function get_product_id(): int
                {
                    return $this->id;
                }
            };
            return array_combine(array_map(fn (int $id) => $id + 1000, $this->products), array_map($item, $this->products));
        }
    }

    function add_filter(string $name, callable $callback, int $priority = 10, int $count = 1): void
    {
        Site::$hooks[$name][$priority][] = [$callback, $count];
        ksort(Site::$hooks[$name]);
    }

    function add_action(string $name, callable $callback, int $priority = 10, int $count = 1): void
    {
        add_filter($name, $callback, $priority, $count);
    }

    function apply_filters(string $name, mixed $value, mixed ...$more): mixed
    {
        foreach (array_merge(...array_values(Site::$hooks[$name] ?? [])) as [$callback, $count]) {
            $value = $callback(...array_slice([$value, ...$more], 0, $count));
        }
        return $value;
    }

    function do_action(string $name, mixed ...$given): void
    {
        foreach (array_merge(...array_values(Site::$hooks[$name] ?? [])) as [$callback, $count]) {
            $callback(...array_slice($given, 0, $count));
        }
    }

    function is_product(): bool
    {
        return Site::$page === 'product';
    }

    function is_checkout(): bool
    {
        return in_array(Site::$page, ['checkout', 'order-received', 'order-pay'], true);
    }

    function is_wc_endpoint_url(string $endpoint): bool
    {
        return Site::$page === $endpoint;
    }

    function get_queried_object_id(): int
    {
        return Site::$product;
    }

    function get_post_meta(int $id, string $key, bool $single): mixed
    {
        return $key === 'fairline_event' && $single ? Site::$fields[$id] ?? '' : throw new LogicException($key);
    }

    function WC(): object
    {
        return (object) ['cart' => new class {
            public function get_cart(): array
            {
                $items = array_map(fn (int $id) => ['product_id' => $id, 'quantity' => 1], Site::$cart);
                return array_combine(array_map(md5(...), array_map(strval(...), Site::$cart)), $items);
            }
        }];
    }

    function wp_redirect(string $to, int $status): never
    {
        throw new Answered($to, $status);
    }

    function nocache_headers(): void
    {
        Site::$headers[] = 'no-store';
    }

    function current_user_can(string $capability): bool
    {
        return $capability === 'manage_woocommerce' && Site::$isManager;
    }

    function wc_add_notice(string $message, string $type): void
    {
        Site::$notices[] = "$type: $message";
    }

    function get_permalink(int $id): string
    {
        return "https://shop.example/product/$id/";
    }

    function wc_get_checkout_url(): string
    {
        return 'https://shop.example/checkout/';
    }

    function get_locale(): string
    {
        return Site::$locale;
    }

    function esc_url(string $url): string
    {
        return htmlspecialchars($url, ENT_QUOTES);
    }

    function esc_attr(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES);
    }

    function wp_strip_all_tags(string $text): string
    {
        return trim(strip_tags($text));
    }

    function get_option(string $name): mixed
    {
        return Site::$options[$name] ?? false;
    }

    function update_option(string $name, mixed $value, bool $autoload): void
    {
        // As in the database: only what PHP can serialize comes back.
        Site::$options[$name] = unserialize(serialize($value));
    }

    function wp_remote_get(string $url, array $options): mixed
    {
        return (Site::$remote)($url, $options);
    }

    function wp_remote_retrieve_response_code(mixed $response): int|string
    {
        return is_array($response) ? $response['status'] : '';
    }

    function wp_remote_retrieve_body(mixed $response): string
    {
        return is_array($response) ? $response['body'] : '';
    }
}
