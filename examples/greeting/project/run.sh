#!/bin/sh
exec cargo run --quiet -- "$@"
