#!/usr/bin/env lua
local m = modle { }
return m
