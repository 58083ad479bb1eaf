<?php

declare(strict_types=1);

namespace Heliograph;

/** The server was not reached, or the connection was lost before the whole answer came. Whether the call had its effect is unknown. */
final class NoAnswer extends \RuntimeException
{
}
